"""The built book in a browser, opened from its folder without a network: complete, legible and silent."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from browser import AXE, COARSE, DESKTOP, MATHJAX, NETWORK, PATIENCE, PHONE, Witness

ROOT = Path(__file__).resolve().parents[2]
LAPTOP = {"width": 1280, "height": 800}
WIDE = {"width": 1920, "height": 1080}
LESSON = re.compile(r"notebooks/\d")
LEAST_CONTRAST = 4.5  # WCAG 2.2, 1.4.3 (AA), for text of any size
TYPESET = "() => window.MathJax?.startup?.promise?.then(() => true) ?? !document.querySelector('.math')"
UNTYPESET = """() => [...document.querySelectorAll('span.math, div.math')]
    .filter(math => !math.querySelector('mjx-container')).map(math => math.textContent)"""
MATH_ERRORS = "() => [...document.querySelectorAll('mjx-merror, [data-mjx-error]')].map(error => error.outerHTML)"
BROKEN_IMAGES = """async () => {
    const images = [...document.images];
    for (const image of images) image.loading = 'eager';
    await Promise.all(images.map(image => image.decode().catch(() => null)));
    return images.filter(image => image.naturalWidth === 0).map(image => image.src);
}"""
SERIOUS = """async ({rules: without, parts: exclude}) => {
    const off = ['color-contrast', 'region', ...without];
    if (!document.querySelector('[style*=important i]')) off.push('avoid-inline-spacing');
    const rules = Object.fromEntries(off.map(name => [name, {enabled: false}]));
    const shown = {include: [document], exclude}, asked = {resultTypes: ['violations'], preload: false, rules};
    const {violations} = await axe.run(shown, asked);
    return violations.filter(({impact}) => ['serious', 'critical'].includes(impact))
        .map(({id, nodes}) => `${id}: ${nodes[0].html.slice(0, 200)}`);
}"""
FIRST_SCREEN = """() => {
    window.scrollTo(0, 0);
    const figure = document.querySelector('.live-figure');
    const boxes = what => [...figure.querySelectorAll(what)].map(part => part.getBoundingClientRect());
    const pictures = boxes('.live-picture, .live-code');
    const shown = pictures.length ? pictures : boxes('.live-chart').slice(0, 1);
    const below = Math.max(...shown.map(({bottom}) => bottom - window.innerHeight));
    const controls = boxes('input, select, button, .live-handle').filter(({height}) => height > 0);
    return {below, controls: controls.filter(({bottom}) => bottom <= window.innerHeight).length};
}"""
"""How far the first figure's pictures, or a program's panes, or else its chart, end below the window's lower edge [px],
and how many of its controls are seen whole."""
LEFT_ALONE = """part => {
    for (let at = part; at !== document.body; at = at.parentElement)
        for (const other of [...at.parentElement.children]) if (other !== at) other.remove();
}"""
"""Take all but a part away from a page, which axe would look through."""
WIDTHS = "() => [document.documentElement.scrollWidth, window.innerWidth]"
CUT = """() => {
    const room = document.documentElement.clientWidth, hair = 8;
    const may = part => ['auto', 'scroll'].includes(getComputedStyle(part).overflowX);
    const moves = part => may(part) && part.scrollWidth > part.clientWidth;
    const told = (why, part) => `${why}: ${part.tagName}.${part.className} ${part.textContent.trim().slice(0, 40)}`;
    const boundary = part => {
        for (let at = part; at !== document.body; at = at.parentElement)
            if (getComputedStyle(at).overflowX !== 'visible') return at;
    };
    const shown = [...document.querySelectorAll('.bd-article *')].filter(part => {
        const {width, height} = part.getBoundingClientRect(), within = part.parentElement;
        return width > 1 && height > 1 && !within.closest('svg, mjx-container, .live-figure');
    });
    const isWide = part => {
        const formula = part.matches('.math') && part.querySelector('mjx-math');
        const beyond = formula && formula.getBoundingClientRect().right - part.getBoundingClientRect().right;
        return part.clientWidth > 1 && (formula ? beyond : part.scrollWidth - part.clientWidth) > hair;
    };
    const hints = part => {
        const {backgroundImage, maskImage} = getComputedStyle(part);
        return `${backgroundImage} ${maskImage}`.includes('gradient');
    };
    const found = shown.flatMap(part => {
        if (part.getBoundingClientRect().right > room + 1 && !boundary(part)) return [told('beyond the page', part)];
        if (!isWide(part) || getComputedStyle(part).overflowX === 'visible') return [];
        return moves(part) ? (hints(part) ? [] : [told('scrolls without a hint', part)]) : [told('cut', part)];
    });
    const sliders = [...document.querySelectorAll('input[type=range]')].map(slider => slider.offsetWidth);
    const box = part => part.getBoundingClientRect();
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const covered = [...document.querySelectorAll('div.math > .eqno')].filter(number =>
        [...number.parentElement.querySelectorAll('mjx-math')].some(formula => meet(box(number), box(formula))));
    const beyond = [...document.querySelectorAll('.live-figure svg text')].filter(text => {
        const letters = box(text), picture = box(text.ownerSVGElement);
        return meet(letters, picture) && (letters.right > picture.right + 1 || letters.left < picture.left - 1);
    });
    return [
        ...found,
        ...sliders.filter(width => width && width < 120).map(width => `a slider of ${width} px`),
        ...covered.map(number => told('a number on its formula', number)),
        ...beyond.map(text => `cut by the edge of its picture: ${text.textContent}`),
    ];
}"""
"""What a phone cuts, prints over something else or lets scroll without a hint, and sliders too short for a finger."""
WHOLE = {"rules": [], "parts": []}
ALIKE = {"rules": ["link-in-text-block"], "parts": [".bd-sidebar-primary"]}
"""What axe leaves out where it has seen it: whether a link can be told from the text around it, for all pages share one
style, and the list of pages that stands beside each. The page of the questions is shown to it whole."""
FAINT = Path(__file__).with_name("faint_text.js").read_text(encoding="utf8")


SOME = [f"{name}.html" for name in ("book/index", "book/notation", "notebooks/03_twists", "notebooks/13_weights")]
SOME.append("exercises/10_damping/10_damping.html")
"""A page of each kind: `make test` visits these, `make release` all. The list of claims takes as long as these."""


@dataclass
class Visit:
    """Observations on one page."""

    faults: list[str]
    untypeset: list[str]
    broken: list[str]
    faint: dict[str, dict[str, str]]
    widths: dict[str, list[int]]
    first_screen: dict[str, float] | None
    barriers: list[str]
    cut: list[str]


def without_network(browser):
    """A context that refuses every request except for files."""
    looks = {"reduced_motion": "reduce", "color_scheme": "light", "device_scale_factor": COARSE}
    context = browser.new_context(viewport=DESKTOP, **looks)
    context.set_default_timeout(PATIENCE)
    context.route(NETWORK, lambda route: route.abort())
    return context


@pytest.fixture(scope="module")
def cut_off(browser):
    """A browser without a network."""
    with without_network(browser) as context:
        yield context


@pytest.fixture(scope="module")
def untypeset(browser):
    """The same without MathJax, which is most of a page's load, for tests that do not look at formulas."""
    with without_network(browser) as context:
        context.route(MATHJAX, lambda route: route.fulfill(content_type="text/javascript", body=""))
        yield context


@pytest.fixture(scope="module")
def pages(built_book):
    """All pages except redirections."""
    stay = (path for path in built_book.rglob("*.html") if 'http-equiv="refresh"' not in path.read_text("utf-8"))
    found = (path.relative_to(built_book) for path in stay)
    return sorted(str(path) for path in found if path.parts[0] != "_static")


def open_page(context, address, home, typeset=True):
    """Open a page and wait until its mathematics is typeset, if it is."""
    page, witness = context.new_page(), Witness(home)
    witness.watch(page)
    if typeset:
        go_to(page, address)
    else:
        page.goto(address, wait_until="load")
    return page, witness


def go_to(page, address):
    """Open another page, and wait until its mathematics is typeset."""
    page.goto(address, wait_until="load")
    page.wait_for_function(TYPESET)


def barriers(page, without=WHOLE):
    """Return axe's violations of impact serious or critical; contrast is tested in light and dark.

    Text outside of landmarks is only a moderate violation and takes a fifth of axe's time, so that rule is off. So is
    the rule on inline text spacing, which is as slow: it needs "important" in an inline style, which no page has.

    Args:
        page: Any page.
        without: Rules and parts of the page that are left out.
    """
    page.evaluate(AXE.read_text(encoding="utf8"))
    return page.evaluate(SERIOUS, without)


def look_at(page, witness, address):
    """Open a page, and look at it in light and dark, on a desktop and on a phone."""
    witness.faults = []
    page.set_viewport_size(DESKTOP)
    go_to(page, address)
    faint, widths = {}, {}
    for mode in ("light", "dark"):
        page.evaluate("mode => { document.documentElement.dataset.theme = mode; }", mode)
        faint[mode] = page.evaluate(FAINT, LEAST_CONTRAST)
    visit = Visit(
        faults=witness.faults,
        untypeset=[*page.evaluate(UNTYPESET), *page.evaluate(MATH_ERRORS)],
        broken=page.evaluate(BROKEN_IMAGES),
        faint=faint,
        widths=widths,
        barriers=barriers(page, ALIKE),
        first_screen=None,
        cut=[],
    )
    page.set_viewport_size(LAPTOP)
    if page.locator(".live-figure").count():
        visit.first_screen = page.evaluate(FIRST_SCREEN)
    for viewport in (WIDE, PHONE):
        page.set_viewport_size(viewport)
        widths[str(viewport["width"])] = page.evaluate(WIDTHS)
    visit.cut = page.evaluate(CUT)
    return visit


@pytest.fixture(scope="module", params=["some", pytest.param("all", marks=pytest.mark.release)])
def visits(request, cut_off, built_book, pages):
    """Observations on each page, all in one tab, which caches the compiled scripts."""
    page, witness = cut_off.new_page(), Witness(built_book.as_uri())
    witness.watch(page)
    names = pages if request.param == "all" else SOME
    found = {name: look_at(page, witness, (built_book / name).as_uri()) for name in names}
    page.close()
    return found


def test_no_page_complains_and_no_request_leaves_the_folder(visits):
    assert visits.keys() >= set(SOME)
    assert {name: visit.faults for name, visit in visits.items() if visit.faults} == {}


def test_all_mathematics_is_typeset_and_every_figure_is_shown(visits):
    lacking = {name: [*visit.untypeset, *visit.broken] for name, visit in visits.items()}
    assert {name: lack for name, lack in lacking.items() if lack} == {}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_has_enough_contrast(visits, mode):
    assert {name: visit.faint[mode] for name, visit in visits.items() if visit.faint[mode]} == {}


def test_axe_finds_nothing_serious_on_any_page(visits):
    assert {name: visit.barriers for name, visit in visits.items() if visit.barriers} == {}


@pytest.mark.parametrize("viewport", [PHONE, WIDE], ids=["phone", "wide"])
def test_no_page_scrolls_sideways(visits, viewport):
    widths = {name: visit.widths[str(viewport["width"])] for name, visit in visits.items()}
    assert {name: width for name, width in widths.items() if width[0] > width[1]} == {}


def test_nothing_is_cut_on_a_phone_and_scrollable_areas_have_a_hint(visits):
    assert {name: visit.cut for name, visit in visits.items() if visit.cut} == {}


def test_a_laptop_shows_a_lessons_first_figure_before_anything_is_scrolled(visits):
    lessons = {name: visit.first_screen for name, visit in visits.items() if LESSON.match(name)}
    lessons.pop("notebooks/00_in_one_sitting.html", None)  # its first figure is a picture: see test_reading.py
    every = {f"notebooks/{path.stem}.html" for path in sorted((ROOT / "notebooks").glob("*.ipynb"))[1:]}
    assert lessons.keys() == (every if len(visits) > len(SOME) else every & set(SOME))
    assert {name: seen for name, seen in lessons.items() if not seen or seen["below"] > 0 or not seen["controls"]} == {}


def test_a_word_is_found_from_the_folder(untypeset, built_book):
    page, witness = open_page(untypeset, (built_book / "book" / "index.html").as_uri(), built_book.as_uri(), False)
    page.keyboard.press("Control+k")
    page.keyboard.type("adjoint")
    page.keyboard.press("Enter")
    page.wait_for_selector("#search-results li a")
    page.wait_for_function("document.querySelectorAll('#search-results li p.context').length > 2")
    assert "adjoint" in page.locator("#search-results li p.context").nth(1).inner_text().lower()
    page.locator("#search-results li a").first.click()
    page.wait_for_load_state("load")
    assert page.url.startswith(built_book.as_uri())
    assert witness.faults == []
    page.close()


FOUND = {
    "contribute": "Contribute",
    "add a robot": "Contribute > Add a robot",
    "damping policy": "Contribute > Add a damping policy",
    "layers": "Contribute > Layers and folders",
    "cheating": "For teachers > Copying and cheating",
    "plagiarism": "For teachers",
    "deadline": "For teachers > Release an exercise and set its deadline",
    "late": "For teachers > Late work",
    "units": "How do I …? > How do I use other units, such as millimetres and degrees?",
    "noisy": "How do I …? > How do I use a noisy pose from a camera?",
    "seven joints": "How do I …? > What changes with seven joints?",
    "solutions": "How do I …? > Where are the solutions to the exercises?",
    "symbol": "Symbols and notation",
}
"""A query and a result that is among the first ten."""


def test_pages_and_sections_are_found_by_the_words_of_their_titles(untypeset, built_book):
    page, address = untypeset.new_page(), (built_book / "search.html").as_uri()
    first_ten = {}
    for query in FOUND:
        page.goto(f"{address}?q={query}")
        page.wait_for_function("Search.status?.innerText")
        first_ten[query] = page.locator("#search-results li > a").all_inner_texts()[:10]
    assert {query: links for query, links in first_ten.items() if FOUND[query] not in links} == {}
    page.goto(f"{address}?q=noisy")
    page.wait_for_function("Search.status?.innerText")
    result = page.locator("#search-results li", has=page.get_by_text(FOUND["noisy"], exact=True))
    assert "How do I use a noisy pose from a camera? Because of noise" in result.locator("p.context").inner_text()
    result.locator("a").click()
    page.wait_for_load_state("load")
    assert page.url.endswith("how_do_i.html#how-do-i-use-a-noisy-pose-from-a-camera")
    page.close()


@pytest.mark.check
def test_questions_are_answered_by_keys_alone(cut_off, built_book):
    page, witness = open_page(cut_off, (built_book / "notebooks" / "08_newton.html").as_uri(), built_book.as_uri())

    def answer(name, *keys):
        """Press keys in a question's first field, and return the feedback."""
        page.locator(f"#predict-08-{name} input").first.focus()
        for key in (*keys, "Enter"):
            if len(key) == 1:
                page.keyboard.type(key)
            else:
                page.keyboard.press(key)
        return page.locator(f"#predict-08-{name} .predict-said").inner_text()

    assert answer("matrices").startswith("Choose an answer first.")
    assert answer("matrices", "Space").startswith("Not quite. The entries are cosines")
    assert answer("matrices", "ArrowUp").startswith("Right.")
    assert answer("frames", "Space", "Tab", "Tab", "Space").startswith("Not quite. In general, two joints")
    assert answer("frames", "Tab", "Tab", "Space").startswith("Right so far")
    assert answer("frames", "Tab", "Space").startswith("Right. ")
    assert answer("space-twist").startswith("Type a number")
    assert answer("space-twist", *"0.141").startswith("Not quite. That is the tip")
    assert answer("space-twist", "Control+a", *"−2,5") == "Not quite. Your number is 2.5 m too small."
    assert answer("space-twist", "Control+a", *"-2.5 m") == "Not quite. Your number is 2.5 m too small."
    assert answer("space-twist", "Control+a", *"0").startswith("Right.")
    assert page.locator(".predict-said mjx-container").count() > 0
    assert barriers(page) == []
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".predict details:not([open])").count() == 0
    assert witness.faults == []
    page.close()


def test_a_question_for_a_place_is_answered_in_the_figure(cut_off, built_book):
    address = (built_book / "notebooks" / "01_inverse_kinematics.html").as_uri()
    page, witness = open_page(cut_off, address, built_book.as_uri())
    question, host = page.locator("#predict-01-folded"), page.locator(".live-host.live-is-on")
    said, tells = question.locator(".predict-said"), host.locator(".live-says")

    def press(*keys):
        for key in (*keys, "Enter"):
            page.keyboard.press(key)
        return said.inner_text()

    question.get_by_role("button", name="Answer in the figure").press("Enter")
    assert question.locator(".live-host").count() == 1 and tells.is_hidden()
    assert press() == "Move something in the figure first."
    assert press("Shift+ArrowLeft").startswith("Not quite. Both gaps are positive")  # the figure's target has the focus
    assert tells.inner_text().startswith("The target is 1.22 m from the base. There are two solutions")
    assert press(*["Shift+ArrowDown"] * 7, *["Shift+ArrowLeft"] * 6).startswith("Right. There")
    told = press(*["Shift+ArrowRight"] * 12)
    assert told.startswith("Not quite. There") and "the only solution is the outstretched arm" in told
    host.locator("[data-name=length_2] input[type=range]").press("ArrowRight")
    question.get_by_role("button", name="This is my answer").click()
    assert said.inner_text().startswith("Another control was moved as well.")
    assert host.locator("[data-name=length_2] input[type=number]").input_value() == "0.60"
    picture = host.locator(".live-picture > svg")
    _, _, width, height = (picture.bounding_box() or {}).values()
    picture.click(position={"x": width / 2 + 5, "y": height / 2 + 5})
    question.get_by_role("button", name="This is my answer").click()
    assert said.inner_text().startswith("Not quite. This is too close")
    question.get_by_role("button", name="Put the figure back").click()
    assert question.locator(".live-host").count() == 0 and host.is_visible()
    question.get_by_role("button", name="Answer in the figure").click()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert question.locator(".live-host").count() == 0 and tells.is_visible()
    question.get_by_role("button", name="Answer in the figure").click()
    assert question.locator(".live-host").count() == 1
    question.evaluate(LEFT_ALONE)
    assert barriers(page) == []
    assert witness.faults == []
    page.close()


def test_without_scripts_a_fold_answers(browser, built_book):
    context = browser.new_context(java_script_enabled=False)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto((built_book / "notebooks" / "08_newton.html").as_uri())
    question = page.locator("#predict-08-matrices")
    assert question.locator("button").is_hidden()
    question.locator("summary").click()
    assert question.locator(".predict-right").is_visible()
    page.goto((built_book / "notebooks" / "01_inverse_kinematics.html").as_uri())
    place = page.locator("#predict-01-folded")
    assert [button.is_hidden() for button in place.locator("button").all()] == [True] * 3
    place.locator("summary").click()
    assert "inner edge" in place.locator(".predict-right").inner_text()
    context.close()


def test_each_kind_of_fault_is_reported(cut_off, tmp_path):
    """The checks themselves work: a page with one fault of each kind reports them all."""
    bad = tmp_path / "bad.html"
    bad.write_text(
        "<img src='missing.png'><p style='color: #999; background: #fff'>faint</p><p style='color: #666'>strong</p>"
        "<script>console.error('said'); throw new Error('thrown')</script>"
        "<script src='http://127.0.0.1:9/elsewhere.js'></script>",
        encoding="utf8",
    )
    page, witness = cut_off.new_page(), Witness(tmp_path.as_uri())
    witness.watch(page)
    page.goto(bad.as_uri())
    told = "\n".join(witness.faults)
    assert "said" in told
    assert "thrown" in told
    assert "left the book: http://127.0.0.1:9/elsewhere.js" in told
    assert page.evaluate(BROKEN_IMAGES) == [f"{tmp_path.as_uri()}/missing.png"]
    faint = page.evaluate(FAINT, LEAST_CONTRAST)
    assert faint == {"body > p: 153,153,153 on 255,255,255": "2.85"}
    page.close()
