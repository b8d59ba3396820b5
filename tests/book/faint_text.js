// Returns the visible text whose contrast with its ground is below `least`, as {where: contrast}; WCAG 2.2, 1.4.3.
(least) => {
  const rgba = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return colour.startsWith("color(srgb") ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], ground) => [r, g, b].map((part, i) => a * part + (1 - a) * ground[i]);
  const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const known = new Map([[null, { ground: [255, 255, 255], opacity: 1 }]]);
  const place = (element) => {
    if (!known.has(element)) {
      const below = place(element.parentElement), style = getComputedStyle(element);
      const opacity = below.opacity * style.opacity;
      known.set(element, { ground: over(rgba(style.backgroundColor), below.ground), opacity, style });
    }
    return known.get(element);
  };
  const name = (one) => [one.tagName.toLowerCase(), ...one.classList].join(".");
  const skipped = "script, style, noscript, .headerlink, .visually-hidden, .sr-only, mjx-assistive-mml";
  const found = {}, texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || element.closest(skipped)) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const { ground: paper, opacity, style } = place(element);
    const bar = element.matches(".live-inside") && element.previousElementSibling; // a number that stands on a bar
    const ground = bar ? over(rgba(getComputedStyle(bar).fill), paper) : paper;
    const [r, g, b, a] = rgba(element.closest("svg") ? style.fill : style.color);
    const ink = over([r, g, b, a * opacity], ground);
    const [dark, light] = [luminance(ink), luminance(ground)].sort((x, y) => x - y);
    const contrast = (light + 0.05) / (dark + 0.05);
    const where = [element.parentElement, element].map(name).join(" > ");
    if (contrast < least) found[`${where}: ${ink.map(Math.round)} on ${ground.map(Math.round)}`] = contrast.toFixed(2);
  }
  return found;
}
