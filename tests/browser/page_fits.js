// What does not fit at the width that the window has now.
({
  TOLERANCE: 1.5,
  CONTROLS: "input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea",
  INTERACTIVE: "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']",

  // Folds are opened: what is in them has to fit as well.
  unfold() {
    for (const fold of document.querySelectorAll("main details:not(.fix)")) fold.open = true;
  },

  faults() {
    const nodes = [...document.body.querySelectorAll("*")].filter((node) => this.isShown(node));
    return nodes.flatMap((node) => [
      ...this.leaving(node), ...this.clipped(node), ...this.unreachable(node), ...this.uneven(node),
    ]);
  },

  isShown(node) {
    return node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      && !node.closest(".visually-hidden") && !node.parentElement.closest("svg");
  },

  name: (node) => node.cloneNode(false).outerHTML.replace(/\s+/g, " ").slice(0, 100),
  isInFlow: (node) => !["absolute", "fixed"].includes(getComputedStyle(node).position),
  hasBox: (node) => !["inline", "contents"].includes(getComputedStyle(node).display),
  holds: (node) => getComputedStyle(node).overflowX !== "visible",

  // A shadow at the edge says that there is more, and a keyboard can get there. On wide screens
  // there is room for all but code.
  saysThatItScrolls(node) {
    const { overflowX, backgroundAttachment } = getComputedStyle(node);
    // Rows of links, which a keyboard reaches one by one; they fade at the end.
    if (node.matches(".views, .sieve, .pages-here")) return overflowX === "auto" && innerWidth < 1024;
    const shows = ["auto", "scroll"].includes(overflowX) && backgroundAttachment.includes("local");
    return shows && node.matches("nav, [tabindex='0']") && (innerWidth < 1024 || node.matches("pre"));
  },

  // A box or a text beyond the box around it; a negative margin says that it is meant to be.
  leaving(node) {
    const found = [];
    if (this.isInFlow(node) && node.tagName !== "BODY") {
      let around = node.parentElement;
      while (!this.hasBox(around)) around = around.parentElement;
      const { marginLeft, marginRight } = getComputedStyle(node);
      const by = this.beyond(node, around, Math.min(parseFloat(marginLeft), 0), Math.min(parseFloat(marginRight), 0));
      if (by) found.push(`${by} px beyond ${this.name(around)}: ${this.name(node)}`);
    }
    if (this.hasBox(node)) {
      for (const text of node.childNodes) {
        if (text.nodeType !== Node.TEXT_NODE || !text.data.trim()) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const by = this.beyond(range, node, 0, 0);
        if (by) found.push(`${by} px of text beyond ${this.name(node)}: ${text.data.trim().slice(0, 40)}`);
      }
    }
    return found;
  },

  beyond(node, around, left, right) {
    const inner = node.getBoundingClientRect(), outer = around.getBoundingClientRect();
    if (this.holds(around) || !inner.width || !inner.height) return 0;
    const by = Math.max(outer.left + left - inner.left, inner.right - outer.right + right);
    return by > this.TOLERANCE ? Math.round(by) : 0;
  },

  clipped(node) {
    const { scrollWidth, clientWidth } = node;
    const isField = node.matches(this.CONTROLS), ends = getComputedStyle(node).textOverflow === "ellipsis";
    if (!this.holds(node) || isField || ends || clientWidth <= 1 || scrollWidth <= clientWidth + this.TOLERANCE) return [];
    return this.saysThatItScrolls(node) ? [] : [`${scrollWidth} px in ${clientWidth}: ${this.name(node)}`];
  },

  unreachable(node) {
    const { left, right, width } = node.getBoundingClientRect();
    if (!node.matches(this.INTERACTIVE) || !width || (left >= -1 && right <= innerWidth + 1)) return [];
    for (let around = node.parentElement; around; around = around.parentElement)
      if (this.saysThatItScrolls(around)) return [];
    return [`off the screen: ${this.name(node)}`];
  },

  // Side by side: sheets have the same edges, and fields have their labels and boxes on one line.
  uneven(node) {
    const found = [], top = (part) => part.getBoundingClientRect().top;
    const children = [...node.children].filter((child) => this.isShown(child));
    const fields = children.filter((child) => child.querySelectorAll(this.CONTROLS).length === 1 && child.querySelector("label"));
    const sheets = node.matches(".work") ? [...node.querySelectorAll(".sheet, .desk")].filter((sheet) => this.isShown(sheet)) : [];
    for (const [boxes, lines] of [
      [fields, [(field) => top(field.querySelector("label")), (field) => top(field.querySelector(this.CONTROLS))]],
      [sheets, [top, (sheet) => sheet.getBoundingClientRect().bottom, this.firstLine]],
    ])
      for (const [index, box] of boxes.entries())
        for (const other of boxes.slice(index + 1))
          if (this.areSideBySide(box, other) && lines.some((line) => Math.abs(line(box) - line(other)) > this.TOLERANCE))
            found.push(`uneven: ${this.name(box)} and ${this.name(other)}: ${lines.map((line) => `${line(box)} ${line(other)}`)}`);
    return found;
  },

  areSideBySide(node, other) {
    const first = node.getBoundingClientRect(), second = other.getBoundingClientRect();
    return first.top < second.bottom && second.top < first.bottom
      && (first.right <= second.left + 1 || second.right <= first.left + 1);
  },

  firstLine(sheet) {
    const text = sheet.querySelector(".sentence");
    return text.getBoundingClientRect().top + parseFloat(getComputedStyle(text).paddingTop);
  },
})
