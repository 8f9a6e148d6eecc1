// Why a label was chosen: a text, and words of the pair that are marked. Where a reason is needed, or its
// panel is open, an answer is chosen first and sent by Save. work.js uses it as it uses fix.js.
window.Reasons = (() => {
  "use strict";

  const MOST = 40;
  const LEAST_WIDTH = 24; // pixels of what is tapped
  const byId = (id) => document.getElementById(id);
  const work = () => byId("work");
  const panel = () => work().querySelector(".why");
  const sheet = () => work().querySelector("[data-focus]");
  const text = () => byId("reason");
  const chosen = () => byId("chosen");
  const answers = () => [...work().querySelectorAll("button[name=label]")];
  const isOptional = () => panel().matches("details");
  const isOpen = () => Boolean(panel() && (!isOptional() || panel().open));
  const isChosen = () => Boolean(panel() && !chosen().disabled);
  const say = (words) => (byId("reason-state").textContent = words);

  // Whether an answer waits for a reason: one that needs none is sent at once.
  const waits = (button) => isOpen() && (isOptional() || button.hasAttribute("data-why") || isUnsaved());
  const choose = (button) => {
    for (const each of answers()) each.removeAttribute("aria-pressed");
    button.setAttribute("aria-pressed", "true");
    Object.assign(chosen(), { value: button.value, disabled: false });
    say(byId("reason-state").dataset.chosen.replace("{answer}", button.dataset.name));
    text().focus();
  };
  const withdraw = () => {
    for (const each of answers()) each.removeAttribute("aria-pressed");
    chosen().disabled = true;
    say("");
    sheet().focus();
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("#work button[name=label]");
    if (!button || !panel() || !waits(button)) return;
    event.preventDefault();
    event.stopPropagation();
    if (work().dataset.state === "ready") choose(button);
  }, true);
  // Save without an answer: nothing is sent.
  const isEmpty = () => {
    if (isChosen()) return false;
    say(byId("reason-state").dataset.choose);
    answers()[0].focus();
    return true;
  };

  // The marked words: spans of characters (code points) of the sentences as shown, [1 or 2, start, end].
  const spans = () => JSON.parse(byId("words").value || "[]");
  const isIn = (span) => ([side, start, end]) => side === span[0] && start <= span[1] && span[2] <= end;
  const without = (span) => spans().flatMap((each) => {
    const [side, start, end] = each;
    if (!isIn(span)(each)) return [each];
    return [[side, start, span[1]], [side, span[2], end]].filter(([, from, to]) => from < to);
  });
  const spanOf = ({ dataset }) => [dataset.side, dataset.start, dataset.end].map(Number);
  const showMarks = () => {
    for (const word of wordsShown()) word.setAttribute("aria-pressed", spans().some(isIn(spanOf(word))));
  };
  const toggle = (word) => {
    const span = spanOf(word);
    const changed = spans().some(isIn(span)) ? without(span) : [...spans(), span];
    if (changed.length > MOST) return say(byId("reason-state").dataset.most);
    byId("words").value = changed.length ? JSON.stringify(changed) : "";
    showMarks();
    turnTo(word);
  };

  // Words become buttons only while words are marked: sentences are read as sentences else.
  let marking = null; // as the person left it; null: on where a reason is needed
  const isMarking = () => isOpen() && (marking ?? !isOptional());
  const wordsShown = () => [...work().querySelectorAll(".word")];
  const length = (words) => Array.from(words).length;
  const wordOf = (side, start, words) => {
    const word = Object.assign(document.createElement("span"), { className: "word", textContent: words, tabIndex: -1 });
    Object.assign(word.dataset, { side, start, end: start + length(words) });
    word.setAttribute("role", "button");
    return word;
  };
  const wrapSentence = (sentence, at) => {
    const nodes = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (nodes.nextNode()) texts.push(nodes.currentNode);
    let start = 0;
    for (const node of texts) {
      const pieces = Words.cut(node.data, sheet().lang).map((piece) => {
        const made = Words.isWord(piece) ? wordOf(at + 1, start, piece) : piece;
        start += length(piece);
        return made;
      });
      node.replaceWith(...pieces);
    }
  };
  // Turn the words of the pair into buttons; work.js has just shown its sentences without.
  const wrap = () => {
    if (!panel()) return;
    byId("marking-words").setAttribute("aria-pressed", isMarking());
    if (!isMarking()) return;
    work().querySelectorAll(".pair .sentence").forEach(wrapSentence);
    const widths = wordsShown().map((word) => word.getBoundingClientRect().width);
    wordsShown().forEach((word, at) => {
      if (widths[at] < LEAST_WIDTH) word.style.paddingInline = `${Math.ceil(LEAST_WIDTH - widths[at]) / 2}px`;
    });
    showMarks();
    turnTo(wordsShown()[0]);
  };
  // One word is a stop of the Tab key; arrows lead to the others.
  const turnTo = (word) => wordsShown().forEach((each) => (each.tabIndex = each === word ? 0 : -1));
  const STEPS = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: Infinity, ArrowUp: -Infinity };
  const next = (word, step) => {
    const shown = wordsShown();
    if (Number.isFinite(step)) {
      const isTurned = getComputedStyle(word.closest(".sentence")).direction === "rtl";
      return shown[shown.indexOf(word) + (isTurned ? -step : step)];
    }
    const side = Number(word.dataset.side) + Math.sign(step);
    return shown.find(({ dataset }) => Number(dataset.side) === side);
  };
  const toggleMarking = () => {
    marking = !isMarking();
    document.dispatchEvent(new Event("pawsmith:sentences"));
    if (marking) wordsShown()[0]?.focus();
  };

  // A key leads to the words, and from there back to where one writes or chooses.
  let isBoundForWords = false;
  const goToWords = () => wordsShown().find((word) => word.tabIndex === 0)?.focus();
  const markByKey = () => {
    if (isMarking() && isWord(document.activeElement)) {
      toggleMarking();
      return (field() || sheet()).focus();
    }
    if (!isOpen()) { // its "toggle" shows the words
      [marking, isBoundForWords, panel().open] = [true, true, true];
      return undefined;
    }
    return isMarking() ? goToWords() : toggleMarking();
  };

  const isUnsaved = () => Boolean(panel()) && (text().value !== text().defaultValue
    || byId("words").value !== byId("words").defaultValue || text().hasAttribute("data-draft"));
  const show = () => {
    const button = panel() && chosen().value && answers().find(({ value }) => value === chosen().value);
    if (button && text().hasAttribute("data-draft")) choose(button);
  };
  const field = () => (isChosen() ? text() : null);
  const begin = () => isOpen() && text().focus();
  // What is written in a closed panel is not sent.
  document.addEventListener("toggle", ({ target }) => {
    if (target !== panel()) return;
    for (const input of [text(), byId("words")]) input.disabled = !target.open;
    if (!target.open) chosen().disabled = true;
    document.dispatchEvent(new Event("pawsmith:sentences"));
    if (isBoundForWords) goToWords();
    isBoundForWords = false;
  }, true);

  const isWord = (target) => Boolean(target.matches?.(".word"));
  const isSave = ({ key, ctrlKey, metaKey }) => key === "Enter" && (ctrlKey || metaKey);
  // In the text, M is a letter.
  const isMark = ({ key, code, ctrlKey }) => ctrlKey && (key > "~" ? code === "KeyM" : key.toLowerCase() === "m");
  const takes = (event) => {
    if (panel() && isMark(event)) return true;
    if (!isOpen()) return false;
    if (isWord(event.target)) return event.key in STEPS || [" ", "Enter", "Escape"].includes(event.key);
    return event.target === text() || (isChosen() && (event.key === "Escape" || isSave(event)));
  };
  const press = (event) => {
    if (isMark(event)) {
      event.preventDefault();
      return markByKey();
    }
    if (event.key === "Escape") return isChosen() ? withdraw() : sheet().focus();
    if (isSave(event)) {
      event.preventDefault();
      return work().querySelector(".save").click();
    }
    if (!isWord(event.target)) return undefined;
    event.preventDefault();
    if (!(event.key in STEPS)) return toggle(event.target);
    const word = next(event.target, STEPS[event.key]);
    if (word) turnTo(word);
    return word?.focus();
  };
  const clicks = [[".word", toggle], ["#marking-words", toggleMarking]];
  const isFixing = () => false;
  return { begin, clicks, field, isEmpty, isFixing, isUnsaved, markByKey, press, show, takes, wrap };
})();
