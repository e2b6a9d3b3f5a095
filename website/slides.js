// A slide is as large as the screen.
const fill = () => {
  const zoom = `${Math.max(1, Math.min(window.innerWidth / 1280, window.innerHeight / 720))}`;
  document.body.style.setProperty("zoom", zoom);
  document.body.style.setProperty("--zoom", zoom);
};

// Keys that turn the slides, as a lecturer's remote control sends them. Without scripts they scroll.
document.addEventListener("DOMContentLoaded", () => {
  window.addEventListener("resize", fill);
  fill();
  const slides = [...document.querySelectorAll("header, section")];
  const seen = () => {
    const far = slides.map((slide) => Math.abs(slide.getBoundingClientRect().top));
    return far.indexOf(Math.min(...far));
  };
  /** @type {Record<string, () => number>} */
  const turns = {
    ArrowRight: () => seen() + 1,
    PageDown: () => seen() + 1,
    ArrowLeft: () => seen() - 1,
    PageUp: () => seen() - 1,
    Home: () => 0,
    End: () => slides.length - 1,
  };
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    // A control takes the same keys.
    if (!turns[key] || (target instanceof Element && target.closest(".dpw, summary"))) return;
    event.preventDefault();
    slides[Math.max(0, Math.min(turns[key](), slides.length - 1))].scrollIntoView();
  });
});
