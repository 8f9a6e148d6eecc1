// What machines can find out about a page. Axe is there already where it is asked.
({
  // A name and what axe says is enough to find the place; the whole answer would bury it.
  async axe(exclude) {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const options = { runOnly: tags, resultTypes: ["violations"], preload: false };
    // Colours that fade from one scheme to the other are measured when they have arrived.
    await Promise.allSettled(document.getAnimations().map((each) => each.finished));
    return (await axe.run({ exclude }, options)).violations.flatMap((rule) => rule.nodes.map(
      (node) => `${rule.id}: ${node.html.slice(0, 120)} ${node.failureSummary}`));
  },

  language(expected) {
    const { lang, dir } = document.documentElement;
    const found = lang === expected ? [] : [`language: ${lang}`];
    if (expected !== "ar") return found;
    const brand = document.querySelector(".brand").getBoundingClientRect();
    if (dir !== "rtl" || brand.right < innerWidth * 0.9) found.push("not from right to left");
    return found;
  },

  width() {
    const wide = document.documentElement.scrollWidth;
    return wide > innerWidth ? [`wider than ${innerWidth}: ${wide}`] : [];
  },

  // Notes where the focus goes; returns how many places a keyboard must reach: of a group of radio
  // buttons, one.
  listen() {
    const scope = document.querySelector("dialog[open]:modal") || document;
    const kinds = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
    const group = (node) => node.type === "radio" ? `radio ${node.name}` : node;
    const reachable = [...scope.querySelectorAll(kinds)].filter((node) =>
      node.checkVisibility({ visibilityProperty: true }) && !node.disabled && node.tabIndex >= 0);
    const start = (node) => node.outerHTML.slice(0, 120);
    const seen = new Map();
    document.addEventListener("focusin", ({ target }) => {
      const outlined = [target, target.parentElement].map((node) => getComputedStyle(node));
      const shows = outlined.some(({ outlineStyle, outlineWidth }) =>
        outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
      seen.set(group(target), shows ? "" : `no focus to be seen: ${start(target)}`);
    });
    // A trap shows itself by all that lies behind it.
    this.focus = () => [
      ...[...seen.values()].filter(Boolean),
      ...reachable.filter((node) => !seen.has(group(node))).map((node) => `not reached: ${start(node)}`),
    ];
    return reachable.length;
  },
})
