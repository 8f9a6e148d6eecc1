// One item at a time: keys, time in view, focus, and answers that survive a bad network.
(() => {
  "use strict";

  // Nobody reads a sentence in less: a press so soon after the swap was meant for the last item.
  const SETTLE_MS = 300;
  const LONGEST_WAIT_MS = 15000;
  const byId = (id) => document.getElementById(id);
  const work = () => byId("work");
  const editor = () => work().querySelector("details.fix");
  const item = () => work().querySelector("[name=item]").value;

  // "settling" after an item has come, "ready" for an answer, "sending" until it is stored.
  const enter = (state) => (work().dataset.state = state);
  const is = (state) => work().dataset.state === state;

  // Time on the item, while the page can be seen.
  const clock = {
    item: null, before: 0, since: null,
    start(shown) {
      if (shown !== this.item) Object.assign(this, { item: shown, before: 0, since: null });
      this.tick();
    },
    tick() {
      const now = performance.now();
      if (this.since !== null) this.before += now - this.since;
      this.since = document.hidden ? null : now;
    },
    seconds() {
      this.tick();
      return (this.before / 1000).toFixed(2);
    },
  };
  document.addEventListener("visibilitychange", () => clock.tick());

  // An item has come: focus it, say what became of the last answer, wait for the hand to leave the key.
  const show = () => {
    enter("settling");
    clock.start(item());
    byId("announcer").textContent = work().dataset.say || "";
    restoreDraft();
    const field = editor()?.open ? byId("text") : work().querySelector("[data-focus]");
    field.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    setTimeout(() => is("settling") && enter("ready"), SETTLE_MS);
  };

  // Sending: one answer at a time, again and again until the server has it.
  let sending = null;
  let tries = 0;
  let timer = null;

  document.addEventListener("submit", (event) => {
    if (!work()?.contains(event.target)) return;
    if (!is("ready") && !event.submitter?.dataset.again) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (sending !== event.submitter) event.target.elements.seconds.value = clock.seconds();
    sending = event.submitter;
    sending.setAttribute("aria-pressed", "true");
    enter("sending");
  }, true);

  const sendAgain = () => {
    clearTimeout(timer);
    if (!sending) return;
    sending.dataset.again = "yes";
    sending.form.requestSubmit(sending);
  };
  const wait = () => {
    byId("trouble").hidden = false;
    timer = setTimeout(sendAgain, Math.min(LONGEST_WAIT_MS, 1000 * 2 ** tries++));
  };
  const settled = () => {
    clearTimeout(timer);
    [sending, tries] = [null, 0];
    byId("trouble").hidden = byId("refused").hidden = true;
  };
  const giveUp = () => {
    settled();
    byId("refused").hidden = false;
    work().querySelector("[aria-pressed]")?.removeAttribute("aria-pressed");
    enter("ready");
  };

  document.addEventListener("htmx:sendError", wait);
  document.addEventListener("htmx:timeout", wait);
  document.addEventListener("htmx:responseError", ({ detail }) => {
    const passing = detail.xhr.status >= 500 || detail.xhr.status === 429;
    if (passing) wait(); else giveUp();
  });
  document.addEventListener("htmx:afterSettle", () => { settled(); show(); });
  window.addEventListener("online", sendAgain);
  window.addEventListener("beforeunload", (event) => sending && !byId("trouble").hidden && event.preventDefault());

  // A fix that is being written outlives a reload and a new sign-in in the same tab.
  const restoreDraft = () => {
    const draft = JSON.parse(sessionStorage.getItem("fix") || "{}");
    if (editor() && !editor().open && draft.item === item()) byId("text").value = draft.text;
  };
  document.addEventListener("input", ({ target }) => {
    if (target.id !== "text") return;
    sessionStorage.setItem("fix", JSON.stringify({ item: item(), text: target.value }));
  });
  const beginFix = () => {
    const field = byId("text");
    if (!editor()?.open || document.activeElement === field) return;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  };
  document.addEventListener("toggle", beginFix, true);
  const cancelFix = () => {
    sessionStorage.removeItem("fix");
    byId("text").value = byId("text").defaultValue;
    editor().open = false;
    work().querySelector("[data-focus]").focus();
  };

  // Dialogs.
  const opened = () => document.querySelector("dialog[open]");
  document.addEventListener("click", (event) => {
    const opens = event.target.closest("[data-opens]");
    if (opens) {
      event.preventDefault();
      byId(opens.dataset.opens).showModal();
    } else if (event.target.matches("dialog")) {
      event.target.close();
    } else if (event.target.closest("button.cancel")) {
      cancelFix();
    }
  });

  // Keys: whatever bears a key in the page is clicked by it.
  const keyOf = ({ key, code }) => {
    if (key.length === 1 && key > "~") return code.replace(/^(Key|Digit|Numpad)/, "").toLowerCase();
    return key.toLowerCase();
  };
  const bearer = (event) => {
    const keys = [keyOf(event), event.code.replace(/^(Digit|Numpad)/, "")];
    const bearers = keys.map((key) => document.querySelector(`a[data-key="${CSS.escape(key)}"], button[data-key="${CSS.escape(key)}"]:not(:disabled), summary[data-key="${CSS.escape(key)}"]`));
    return bearers.find((found) => found?.checkVisibility());
  };
  const inEditor = (event) => {
    if (event.key === "Escape") cancelFix();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      editor().querySelector("[value=fix]").click();
    }
  };
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229 || event.repeat) return;
    if (event.target.id === "text") return inEditor(event);
    if (event.target.matches("input, textarea, select, [contenteditable]")) return;
    if (event.ctrlKey || event.altKey || event.metaKey || !byId("single-keys").checked) return;
    if (opened()) return opened().dataset.key === keyOf(event) && opened().close();
    const found = bearer(event);
    if (!found || (work().contains(found) && !is("ready"))) return;
    event.preventDefault();
    found.click();
    beginFix(); // "toggle" comes a moment later, and the next key is already the editor's
  });

  // Whoever needs the letters for something else can switch them off.
  const singleKeys = byId("single-keys");
  singleKeys.checked = localStorage.getItem("single-keys") !== "off";
  singleKeys.addEventListener("change", () => localStorage.setItem("single-keys", singleKeys.checked ? "on" : "off"));

  show();
})();
