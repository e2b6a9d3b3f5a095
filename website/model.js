// What page.js asks of a front end that is no notebook. Who answers is told by `answer`: frames that were drawn when the
// site was built, what stands in the page of a question, or Python in a worker.

/**
 * @typedef {import("../dpwidgets/page/page.js").Deed & {name: string, turn: string}} Asked
 * @typedef {Record<string, any>} Shown what the parts of a page show
 */
class DpwidgetsModel {
  /**
   * @param {Record<string, any>} state
   * @param {(asked: Asked) => void} answer takes what the reader has done
   */
  constructor(state, answer) {
    this.state = state;
    this.answer = answer;
    /** @type {Record<string, (() => void)[]>} */
    this.heard = {};
  }

  /** @param {string} name */
  get(name) {
    return this.state[name];
  }

  /**
   * @param {string} name
   * @param {any} value
   */
  set(name, value) {
    this.state[name] = value;
  }

  save_changes() {
    this.answer(this.state._asked);
  }

  /**
   * @param {string} event
   * @param {() => void} callback
   */
  on(event, callback) {
    (this.heard[event] ??= []).push(callback);
  }

  /**
   * @param {string} event
   * @param {() => void} callback
   */
  off(event, callback) {
    this.heard[event] = (this.heard[event] ?? []).filter((one) => one !== callback);
  }

  /**
   * Takes what has changed, and tells the page.
   * @param {Record<string, any>} changes
   */
  take(changes) {
    Object.assign(this.state, changes);
    for (const name of Object.keys(changes))
      for (const callback of this.heard[`change:${name}`] ?? []) callback();
  }

  /**
   * Lets the page show something else, as the answer to what it has asked.
   * @param {{_shown: Shown, _still?: string, _moving?: string}} changes
   */
  show(changes) {
    const turn = { turn: this.state._asked?.turn ?? "" };
    this.take({ ...changes, _shown: { ...changes._shown, "": turn } });
  }
}
Object.assign(window, { DpwidgetsModel }); // for live.js and site.js
