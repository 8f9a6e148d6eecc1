// One item at a time: keys, time on it, marks, and answers that survive a bad network.
(() => {
  "use strict";

  // The next item often comes within 50 ms of an answer: a second press of the same key, or a second
  // tap, would answer it unread. No one reads a sentence in less time than this.
  const SETTLE_MS = 300;
  const LONGEST_WAIT_MS = 15000;
  const IDLE_MS = 1000 * document.body.dataset.idle;
  const byId = (id) => document.getElementById(id);
  const work = () => byId("work");
  const sheet = () => work().querySelector("[data-focus]");
  // On pages where people write (fix.js, reasons.js).
  const fix = window.Fix || window.Reasons;
  const item = () => work().querySelector("[name=item]").value;
  const field = (form, name) => form.querySelector(`[name=${name}]`);
  const announce = (words) => (byId("announcer").textContent = words);

  // "settling" after an item has followed another, "ready" for an answer, "sending" until it is stored,
  // "waiting" to send it again.
  const enter = (state) => (work().dataset.state = state);
  const is = (state) => work().dataset.state === state;

  // Time on the item: while the page is visible and the annotator is active.
  const clock = {
    item: null, counted: 0, since: null, stirred: 0,
    start(shown) {
      if (shown !== this.item) Object.assign(this, { item: shown, counted: 0, since: null });
      this.stir();
    },
    tick() {
      const now = performance.now();
      if (this.since !== null) this.counted += Math.max(0, Math.min(now, this.stirred + IDLE_MS) - this.since);
      this.since = document.hidden ? null : now;
    },
    stir() {
      this.tick();
      this.stirred = performance.now();
    },
    seconds() {
      this.tick();
      return (this.counted / 1000).toFixed(2);
    },
  };
  document.addEventListener("visibilitychange", () => clock.tick());
  for (const sign of ["keydown", "pointerdown", "pointermove", "touchstart", "wheel", "scroll"]) {
    document.addEventListener(sign, () => clock.stir(), { capture: true, passive: true });
  }

  // An item has come: focus it, say what became of the last answer. If it has followed another, wait
  // for the hand to leave the key; the first one of a page has followed none.
  const show = (wait) => {
    enter(wait ? "settling" : "ready");
    clock.start(item());
    announce(work().dataset.say || "");
    mark();
    fix?.show(!wait);
    tellEditing();
    (fix?.field() || sheet()).focus({ preventScroll: true });
    window.scrollTo(0, 0);
    if (wait) setTimeout(() => is("settling") && enter("ready"), wait);
  };

  // Sending: one answer at a time, again and again until the server has it.
  let sending = null;
  let answered = "";
  let tries = 0;
  let timer = null;
  const isAnswer = (form) => form.matches("form") && (work()?.contains(form) || form.matches(".reasons, .changing"));
  const stop = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!isAnswer(form)) return;
    if (!is("ready") && submitter !== sending) return stop(event);
    if (submitter.matches(".save") && fix.isEmpty()) return stop(event);
    if (submitter !== sending && form.elements.seconds) form.elements.seconds.value = clock.seconds();
    [sending, answered] = [submitter, field(form, "item").value];
    // htmx leaves out the value of a button that has lost the focus, as to the closing dialog.
    if (form.matches(".changing")) field(form, "answer").value = submitter.value;
    sending.setAttribute("aria-pressed", "true");
    opened()?.close();
    enter("sending");
  }, true);

  const sendAgain = () => {
    clearTimeout(timer);
    if (sending && is("waiting")) sending.form.requestSubmit(sending);
  };
  const wait = () => {
    enter("waiting");
    byId("trouble").hidden = false;
    timer = setTimeout(sendAgain, Math.min(LONGEST_WAIT_MS, 1000 * 2 ** tries++));
  };
  const settled = () => {
    clearTimeout(timer);
    sending?.removeAttribute("aria-pressed");
    [sending, tries] = [null, 0];
    byId("trouble").hidden = byId("refused").hidden = true;
  };
  const giveUp = () => {
    settled();
    byId("refused").hidden = false;
    enter("ready");
  };
  const failed = (event) => {
    const { target, detail } = event;
    if (target.dataset.failed) target.textContent = target.dataset.failed;
    if (target.matches(".noting")) target.querySelector(".failed").hidden = false;
    if (!isAnswer(target)) return;
    const { status } = detail.xhr;
    if ([0, 408, 429].includes(status) || status >= 500) wait(); else giveUp();
  };
  for (const failure of ["sendError", "timeout", "responseError"]) document.addEventListener(`htmx:${failure}`, failed);
  document.addEventListener("htmx:afterRequest", ({ target, detail }) => detail.successful && isAnswer(target) && settled());
  document.addEventListener("htmx:afterSettle", ({ target, detail }) => {
    if (target !== work()) return;
    // It is stored. Where the session has ended, the reply leads to the sign-in page and is not put in.
    if (sending?.matches("[name=action], .answering") && detail.xhr.status === 200) fix?.forget(answered);
    settled();
    show(SETTLE_MS);
  });
  window.addEventListener("online", sendAgain);

  // What the person has written and the server does not have: a fix or translation, a reason, a note.
  const NOTE = `note ${location.pathname} ${document.body.dataset.person}`;
  const note = () => document.querySelector("#note textarea");
  const keptNote = () => JSON.parse(sessionStorage.getItem(NOTE));
  const isBegun = (form) => [...form.elements].some((field) => (field.type === "radio" ? field.checked : field.name === "note" && field.value));
  const isEditing = () => Boolean(fix?.isUnsaved() || [...document.querySelectorAll("dialog[open] .reasons")].some(isBegun) || keptNote());
  const tellEditing = () => work().toggleAttribute("data-editing", isEditing());
  for (const change of ["input", "click", "toggle", "close"]) {
    document.addEventListener(change, () => setTimeout(tellEditing), true); // after what else follows
  }
  // To the sign-in page nobody is kept from going: what was written stays in this tab.
  let isLed = false;
  document.addEventListener("htmx:beforeOnLoad", ({ detail }) => (isLed ||= Boolean(detail.xhr.getResponseHeader("HX-Redirect"))));
  window.addEventListener("beforeunload", (event) => {
    if (!isLed && ((sending && is("waiting")) || isEditing())) event.preventDefault();
  });
  const tellNetwork = () => document.body.classList.toggle("offline", !navigator.onLine);
  for (const change of ["online", "offline"]) window.addEventListener(change, tellNetwork);

  // What differs is marked where the project has it so, or lets the person choose and they did.
  const { highlighting } = document.body.dataset;
  const CHOICE = `marks ${location.pathname}`;
  const marks = () => highlighting === "always" || (highlighting === "choice" && localStorage.getItem(CHOICE) === "on");
  const mark = () => {
    byId("marking")?.setAttribute("aria-pressed", marks());
    const sentences = [...work().querySelectorAll(".pair .sentence")];
    if (typeof Words === "undefined" || sentences.length < 2) return;
    const texts = sentences.map((sentence) => sentence.textContent);
    const pieces = marks() ? Words.compare(...texts, sheet().lang) : texts.map((text) => [{ kind: "same", text }]);
    sentences.forEach((sentence, at) => sentence.replaceChildren(...pieces[at].map(Words.element)));
    if (marks()) work().querySelector("[name=highlighted]").value = "true"; // seen is seen
    fix?.wrap?.();
  };
  document.addEventListener("pawsmith:sentences", () => mark());
  const toggleMarks = ({ dataset }) => {
    localStorage.setItem(CHOICE, marks() ? "off" : "on");
    mark();
    announce(marks() ? dataset.on : dataset.off);
  };

  // Dialogs. Who has another reason than those that are named says which.
  document.addEventListener("change", ({ target }) => {
    const form = target.closest(".reasons");
    if (form && target.type === "radio") field(form, "note").required = target.value === "other";
  });
  // A note is about the item with which it was begun, and kept in this tab until it is sent.
  document.addEventListener("input", ({ target }) => {
    if (target !== note()) return;
    if (target.value.trim()) sessionStorage.setItem(NOTE, JSON.stringify({ item: byId("noted").value, text: target.value }));
    else sessionStorage.removeItem(NOTE);
  });
  document.addEventListener("htmx:afterSettle", ({ target, detail }) => {
    if (target.id !== "note") return;
    if (detail.requestConfig.verb === "post" && detail.xhr.status === 200) sessionStorage.removeItem(NOTE);
    else if (note() && !note().value) note().value = keptNote()?.text || "";
    note()?.focus();
    tellEditing();
  });
  const opened = () => document.querySelector("dialog[open]");
  const open = (dialog) => {
    const form = dialog.querySelector(".reasons");
    form?.reset();
    if (form) [field(form, "item").value, field(form, "note").required] = [item(), false];
    byId("noted").value = keptNote()?.item || item();
    dialog.showModal();
    dialog.querySelector("[hx-get]")?.dispatchEvent(new Event("open"));
  };
  const CLICKS = [
    ...(fix?.clicks || []), ["#marking", toggleMarks],
  ];
  document.addEventListener("click", (event) => {
    const opens = event.target.closest("[data-opens]");
    if (opens) {
      event.preventDefault();
      if (!work().contains(opens) || is("ready")) open(byId(opens.dataset.opens));
    } else if (event.target.matches("dialog")) {
      event.target.close();
    }
    for (const [selector, act] of CLICKS) {
      const button = event.target.closest(selector);
      if (button) act(button);
    }
  });

  // Keys: whatever bears a key, in the page or in the open dialog, is clicked by it.
  const MARKING = "marking-words";
  const keyOf = ({ key, code }) => {
    if (key.length === 1 && key > "~") return code.replace(/^(Key|Digit|Numpad)/, "").toLowerCase();
    return key.toLowerCase();
  };
  const bearer = (event) => {
    const keys = [keyOf(event), event.code.replace(/^(Digit|Numpad)/, "").toLowerCase()];
    const bearers = keys.map((key) => (opened() || document).querySelector(`:is(a, button, summary, input, label)[data-key~="${CSS.escape(key)}"]:not(:disabled)`));
    return bearers.find((found) => found?.checkVisibility() || found?.id === MARKING); // it opens its panel
  };
  const press = (found) => {
    if (found.id === MARKING) return fix.markByKey();
    found.click();
    if (found.matches("input")) (byId(found.dataset.then) || found).focus();
    if (found.matches("summary")) fix?.begin(); // "toggle" comes a moment later, and the next key is already the editor's
  };
  // "-5" is typed as "-" and "5": a digit after a minus sign that chose nothing does not choose 5.
  let unusedKey = "";
  const isUnsigned = (found) => !(unusedKey === "-" && /^\d$/.test(found.dataset.key));
  const TYPED_IN = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229 || event.repeat) return;
    if (!opened() && fix?.takes(event)) return fix.press(event);
    if (event.target.matches(TYPED_IN)) return;
    if (event.ctrlKey || event.altKey || event.metaKey || !byId("single-keys").checked) return;
    if (opened()?.dataset.key === keyOf(event)) return opened().close();
    const found = bearer(event);
    const isMeant = found && isUnsigned(found);
    unusedKey = found ? "" : event.key;
    if (!isMeant || (work().contains(found) && (fix?.isFixing() || !is("ready")))) return;
    event.preventDefault();
    press(found);
  });

  // Examples of the labels are open where they have room beside the pair, and then as the person left them.
  const examples = byId("examples");
  if (examples) {
    const room = matchMedia("(min-width: 70rem)").matches ? "open" : "closed";
    examples.open = (localStorage.getItem("examples") || room) === "open";
    examples.addEventListener("toggle", () => localStorage.setItem("examples", examples.open ? "open" : "closed"));
  }

  // People who need the letters for something else can switch them off.
  const singleKeys = byId("single-keys");
  singleKeys.checked = localStorage.getItem("single-keys") !== "off";
  singleKeys.addEventListener("change", () => localStorage.setItem("single-keys", singleKeys.checked ? "on" : "off"));

  tellNetwork();
  show(0);
})();
