"""Functions that look right, by lab and question: every test of the question refuses each."""

WRONG = {
    "lab1": {
        "odds": [
            """
# a share of the rest
def odds(chance):
    return chance / (1 - chance)
def chance(odds):
    return odds / (odds - 1)
""",
            """
# odds against
def odds(chance):
    return (1 - chance) / chance
def chance(odds):
    return 1 / (1 + odds)
""",
            """
# rounded
def odds(chance):
    return round(chance / (1 - chance))
def chance(odds):
    return odds / (1 + odds)
""",
        ],
        "inverse": [
            """
# for whom it speaks
def answer_with(wanted, epsilon, others):
    return others + (1 - wanted / epsilon) / 2
""",
            """
# a loss of ε for each step
def answer_with(wanted, epsilon, others):
    return others + wanted / epsilon
""",
            """
# no negative loss
def answer_with(wanted, epsilon, others):
    return others + (1 + abs(wanted) / epsilon) / 2
""",
        ],
        "delta": [
            """
# the largest excess in place of the sum
def smallest_delta(epsilon, with_you, without_you):
    grown = math.exp(epsilon)
    return max(
        max(0, one - grown * other, other - grown * one)
        for one, other in zip(with_you, without_you)
    )
""",
            """
# one direction
def smallest_delta(epsilon, with_you, without_you):
    return loss.finite(with_you, without_you).delta(epsilon)
""",
            """
# the other direction
def smallest_delta(epsilon, with_you, without_you):
    return loss.finite(without_you, with_you).delta(epsilon)
""",
            """
# both directions added
def smallest_delta(epsilon, with_you, without_you):
    laws = loss.finite(with_you, without_you), loss.finite(without_you, with_you)
    return sum(law.delta(epsilon) for law in laws)
""",
            """
# the larger excess of each answer
def smallest_delta(epsilon, with_you, without_you):
    grown = math.exp(epsilon)
    return sum(
        max(0, one - grown * other, other - grown * one)
        for one, other in zip(with_you, without_you)
    )
""",
            """
# what keeps the promise counts less than 0
def smallest_delta(epsilon, with_you, without_you):
    pairs = list(zip(with_you, without_you))
    grown = math.exp(epsilon)
    return max(
        sum(one - grown * other for one, other in pairs),
        sum(other - grown * one for one, other in pairs),
    )
""",
        ],
        "believed": [
            """
# the first answer alone
def believed(answers, prior, epsilon, others):
    gain = epsilon * (abs(answers[0] - others) - abs(answers[0] - others - 1))
    odds = prior / (1 - prior) * math.exp(gain)
    return odds / (1 + odds)
""",
            """
# the mean of the answers
def believed(answers, prior, epsilon, others):
    answer = sum(answers) / len(answers)
    gain = epsilon * (abs(answer - others) - abs(answer - others - 1))
    odds = prior / (1 - prior) * math.exp(len(answers) * gain)
    return odds / (1 + odds)
""",
            """
# every answer beyond both counts
def believed(answers, prior, epsilon, others):
    gain = sum(epsilon if one > others else -epsilon for one in answers)
    odds = prior / (1 - prior) * math.exp(gain)
    return odds / (1 + odds)
""",
        ],
    },
    "lab2": {
        "worlds": [
            """
# divided by all
def world_answers(days):
    return [(sum(days) - one) / len(days) for one in days]
""",
            """
# the mean without the last
def world_answers(days):
    return [sum(days[:-1]) / (len(days) - 1)] * len(days)
""",
        ],
        "posterior": [
            """
# the first scale for all
def posterior(means, answers, scales):
    return noise.posterior_after(answers, means, scales[0]).tolist()
""",
            """
# the last answer alone
def posterior(means, answers, scales):
    weights = [math.exp(-abs(answers[-1] - one) / scales[-1]) for one in means]
    return [weight / sum(weights) for weight in weights]
""",
            """
# squares
def posterior(means, answers, scales):
    weights = [
        math.exp(-sum((a - one) ** 2 / s for a, s in zip(answers, scales)))
        for one in means
    ]
    return [weight / sum(weights) for weight in weights]
""",
        ],
        "likeliest": [
            """
# no prior
def likeliest_count(noisy, prior, epsilon):
    return min(max(0, round(noisy)), len(prior) - 1)
""",
            """
# the prior alone
def likeliest_count(noisy, prior, epsilon):
    return prior.index(max(prior))
""",
            """
# how likely
def likeliest_count(noisy, prior, epsilon):
    return max(p * math.exp(-epsilon * abs(noisy - k)) for k, p in enumerate(prior))
""",
        ],
        "estimate": [
            """
# the likeliest count
def estimate(noisy, prior, epsilon):
    weights = [p * math.exp(-epsilon * abs(noisy - k)) for k, p in enumerate(prior)]
    return weights.index(max(weights))
""",
            """
# the mean, rounded
def estimate(noisy, prior, epsilon):
    weights = [p * math.exp(-epsilon * abs(noisy - k)) for k, p in enumerate(prior)]
    return round(sum(k * one for k, one in enumerate(weights)) / sum(weights))
""",
            """
# the noisy count in its bounds
def estimate(noisy, prior, epsilon):
    return min(max(0, round(noisy)), len(prior) - 1)
""",
        ],
    },
    "lab3": {
        "smallest": [
            """
# the smallest count alone
def smallest_epsilon(half_width, confidence, counts):
    needed = interval.epsilon(half_width, confidence, min(counts))
    return math.ceil(1000 * needed) / 1000
""",
            """
# each so often by itself
def smallest_epsilon(half_width, confidence, counts):
    outside = (1 - confidence) / len(counts)
    needed = -math.log(outside) / (half_width * min(counts))
    return math.ceil(1000 * needed) / 1000
""",
            """
# rounded to the nearest
def smallest_epsilon(half_width, confidence, counts):
    at = 0.0001
    while math.prod(1 - math.exp(-at * half_width * n) for n in counts) < confidence:
        at += 0.0001
    return round(at, 3)
""",
        ],
        "counts": [
            """
# without rounding
def counts_behind(epsilon, half_width, confidence):
    needed = -math.log(1 - confidence) / half_width
    return [math.ceil(needed / epsilon), math.floor(needed / epsilon)]
""",
            """
# to the nearest thousandth
def counts_behind(epsilon, half_width, confidence):
    needed = -math.log(1 - confidence) / half_width
    return [
        math.ceil(needed / (epsilon + 0.0005)),
        math.floor(needed / (epsilon - 0.0005)),
    ]
""",
            """
# one too many
def counts_behind(epsilon, half_width, confidence):
    needed = -math.log(1 - confidence) / half_width
    at = round(1000 * epsilon)
    return [math.ceil(1000 * needed / at), math.ceil(1000 * needed / (at - 1))]
""",
        ],
    },
}
