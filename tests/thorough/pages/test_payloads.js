// What our pages have none of, so that something brought it in; and all that a page shows.
() => {
    const found = []
    const runs = /^[\s\x01]*(javascript|vbscript|data:text)/i
    const links = ["href", "src", "action", "formaction", "data", "xlink:href", "background"]
    for (const element of document.querySelectorAll("*")) {
        const name = element.localName
        for (const { name: attribute, value } of element.attributes) {
            // A manager's Markdown may lead elsewhere, and tells nobody there where one came from.
            const written = name === "a" && element.relList.contains("noreferrer")
            const leads = runs.test(value)
                || !written && /^\s*(https?:)?[\\/]{2}evil/i.test(value)
            if (attribute.startsWith("on") || attribute.startsWith("hx-on")
                || attribute === "style" && /url\(|animation/.test(value)
                || attribute === "srcdoc" || links.includes(attribute) && leads)
                found.push(`${name} ${attribute}=${value}`)
        }
        if (name === "script" && !element.src && !/json/.test(element.type)
            || ["base", "marquee", "object", "embed", "iframe", "math"].includes(name)
            || name === "meta" && element.httpEquiv === "refresh")
            found.push(element.outerHTML)
    }
    const fields = Array.from(document.querySelectorAll("input, textarea"), each => each.value)
    return [found, document.documentElement.outerHTML + fields.join(" ")]
}
