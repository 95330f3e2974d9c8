"""Texts that would do something, and texts that would hide something, if a page let them."""

import itertools

# What runs, loads, opens or covers in a page that makes HTML of text. `{sink}` is a server that must never hear of it.
_ELEMENTS = [
    "<script>{do}</script>", "<script src={sink}/s></script>", "<img src=x onerror='{do}'>", "<img src='{sink}/img'>",
    "<svg onload='{do}'></svg>", "<svg><script>{do}</script></svg>", "<svg><animate onbegin='{do}' attributeName=x dur=1s>",
    "<math><mtext><table><mglyph><style><img src=x onerror='{do}'>", "<iframe src='{sink}/frame'></iframe>",
    "<iframe srcdoc='<script>parent.{do}</script>'></iframe>", "<object data='{sink}/object'></object>", "<embed src='{sink}/embed'>",
    "<video src='{sink}/video' autoplay onloadstart='{do}'></video>", "<audio src='{sink}/audio' autoplay></audio>",
    "<body onload='{do}'>", "<input autofocus onfocus='{do}'>", "<details open ontoggle='{do}'>", "<marquee onstart='{do}'>x</marquee>",
    "<style>@import '{sink}/css'; * {{ display: none }}</style>", "<link rel=stylesheet href='{sink}/link'>",
    "<link rel=prefetch href='{sink}/prefetch'>", "<meta http-equiv=refresh content='0;url={sink}/meta'>", "<base href='{sink}/'>",
    "<form action='{sink}/form'><button>Send</button></form>", "<a href='javascript:{do}'>here</a>", "<a ping='{sink}/ping' href='{sink}'>here</a>",
    "<div style='position:fixed;inset:0;background:url({sink}/bg)'>over all</div>", "<template shadowrootmode=open><script>{do}</script></template>",
    "<x onclick='{do}' tabindex=0 autofocus onfocus='{do}'>", "</textarea><script>{do}</script>", "</title><script>{do}</script>",
    "--><script>{do}</script>", "]]><script>{do}</script>", "<noscript><p title='</noscript><img src=x onerror={do}>'>",
    "&lt;script&gt;{do}&lt;/script&gt;", "&#60;img src=x onerror={do}&#62;", "\\u003cscript\\u003e{do}\\u003c/script\\u003e",
    "{{{{constructor.constructor('{do}')()}}}}", "${{{do}}}", "{{@html '<script>{do}</script>'}}", "{{#if 1}}x{{/if}}",
]
_MARKDOWN = [
    "[here](javascript:{do})", "[here](JaVaScRiPt:{do})", "[here](java&#x09;script:{do})", "[here](data:text/html,<script>{do}</script>)",
    "[here](vbscript:x)", "[here](file:///etc/passwd)", "[here]({sink}/a 'title')", "[here](tauri://localhost/)", "[here](ipc://localhost/answer)",
    "[here](countersign://request/1)", "[ref][1]\n\n[1]: javascript:{do}", "<javascript:{do}>", "<{sink}/autolink>", "{sink}/bare",
    "![x]({sink}/image.png)", "![x](javascript:{do})", "![x](data:image/svg+xml,<svg onload={do}>)", "[![x]({sink}/nested)](javascript:{do})",
    "```html\n<script>{do}</script>\n```", "    <script>{do}</script>", "`<script>{do}</script>`", "<details><summary>x</summary>\n\n<script>{do}</script>\n</details>",
    "| <script>{do}</script> |\n|---|\n| <img src=x onerror={do}> |", "# <script>{do}</script>", "> <script>{do}</script>", "- <script>{do}</script>",
    "$$\\href{{javascript:{do}}}{{x}}$$", "[^1]\n\n[^1]: <script>{do}</script>", "**<script>{do}</script>**", "~~<img src=x onerror={do}>~~",
]
_AROUND = ["{}", "x {} y", "<p>{}</p>"]


def attacks(sink):
    """About two hundred."""
    filled = [text.format(sink=sink, do="window.__pwned=1") for text in _ELEMENTS + _MARKDOWN]
    return [around.format(text) for around, text in itertools.product(_AROUND, filled)]


# Code points that draw nothing, draw a blank, turn text around, or move a cursor. Not NUL, which is refused.
HIDDEN = [
    *range(0x01, 0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5,
    *range(0x180B, 0x1810), *range(0x200B, 0x2010), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2060, 0x2065),
    *range(0x2066, 0x2070), 0x2800, 0x3164, 0xFE00, 0xFE0E, 0xFEFF, 0xFFA0, *range(0xFFF9, 0xFFFD), 0xE000, 0xE0001, 0xE0041, 0xE007F,
    0xE0100, 0xE01EF, 0x1D159,
]
LOOKALIKES = ["p\u0430ypal", "g\u03bf\u03bfgle", "pr\u043edu\u0441ti\u043en", "\u0405ecure", "micr\u0578soft"]


def disguises():
    """Each hidden code point in a word, and words that pass for others."""
    return [f"rm{chr(code)}txt" for code in HIDDEN] + [f"a \u202e{word}" for word in LOOKALIKES] + LOOKALIKES
