//! A corpus of disguises and one of innocents.

use super::*;
use proptest::prelude::*;

/// What was hidden, and what a person reads instead (in one line).
const DISGUISES: &[(&str, &str)] = &[
    // Bidirectional controls.
    ("rm \u{202E}txt.exe", "rm ⟦U+202E⟧txt.exe"),
    ("a\u{202A}b", "a⟦U+202A⟧b"),
    ("a\u{202B}b", "a⟦U+202B⟧b"),
    ("a\u{202C}b", "a⟦U+202C⟧b"),
    ("a\u{202D}b", "a⟦U+202D⟧b"),
    ("if (x) \u{2066}// yes\u{2069}", "if (x) ⟦U+2066⟧// yes⟦U+2069⟧"),
    ("a\u{2067}b\u{2068}c", "a⟦U+2067⟧b⟦U+2068⟧c"),
    ("a\u{200E}b\u{200F}c\u{61C}d", "a⟦U+200E⟧b⟦U+200F⟧c⟦U+061C⟧d"),
    // Zero width.
    ("pro\u{200B}duction", "pro⟦U+200B⟧duction"),
    ("a\u{200C}b", "a⟦U+200C⟧b"),
    ("a\u{200D}b", "a⟦U+200D⟧b"),
    ("😀\u{200D}b", "😀⟦U+200D⟧b"),
    ("a\u{200D}😀", "a⟦U+200D⟧😀"),
    ("©\u{200D}©", "©⟦U+200D⟧©"),
    ("😀\u{200D}\u{200D}😀", "😀⟦U+200D ×2⟧😀"),
    ("\u{FEFF}a", "⟦U+FEFF⟧a"),
    ("a\u{2060}b\u{2061}c\u{2062}d\u{2063}e\u{2064}f", "a⟦U+2060⟧b⟦U+2061⟧c⟦U+2062⟧d⟦U+2063⟧e⟦U+2064⟧f"),
    ("a\u{206A}b\u{206F}c", "a⟦U+206A⟧b⟦U+206F⟧c"),
    ("ad\u{AD}min", "ad⟦U+00AD⟧min"),
    ("a\u{34F}b", "a⟦U+034F⟧b"),
    ("a\u{180E}b\u{180B}c", "a⟦U+180E⟧b⟦U+180B⟧c"),
    ("a\u{FFF9}b\u{FFFA}c\u{FFFB}d", "a⟦U+FFF9⟧b⟦U+FFFA⟧c⟦U+FFFB⟧d"),
    ("\u{200B}\u{200B}\u{200B}x", "⟦U+200B ×3⟧x"),
    // Tags, which carry whole hidden sentences.
    ("ok\u{E0001}", "ok⟦U+E0001⟧"),
    ("ok\u{E0068}\u{E0069}", "ok⟦U+E0068⟧⟦U+E0069⟧"),
    ("🏴\u{E0078}\u{E0078}\u{E007F}", "🏴⟦U+E0078 ×2⟧⟦U+E007F⟧"),
    (
        "\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "⟦U+E0067⟧⟦U+E0062⟧⟦U+E0065⟧⟦U+E006E⟧⟦U+E0067⟧⟦U+E007F⟧",
    ),
    // Variation selectors, which carry bytes.
    ("a\u{FE00}b", "a⟦U+FE00⟧b"),
    ("a\u{FE0F}b", "a⟦U+FE0F⟧b"),
    ("1\u{FE0F}2", "1⟦U+FE0F⟧2"),
    ("☎\u{FE0E}", "☎⟦U+FE0E⟧"),
    ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}⟦U+FE0F⟧"),
    ("😀\u{E0100}\u{E01EF}", "😀⟦U+E0100⟧⟦U+E01EF⟧"),
    // Blanks that aren't spaces.
    ("a\u{3164}b", "a⟦U+3164⟧b"),
    ("a\u{FFA0}b", "a⟦U+FFA0⟧b"),
    ("a\u{115F}b\u{1160}c", "a⟦U+115F⟧b⟦U+1160⟧c"),
    ("a\u{2800}b", "a⟦U+2800⟧b"),
    ("a\u{17B4}b\u{17B5}c", "a⟦U+17B4⟧b⟦U+17B5⟧c"),
    ("a\u{1D159}b", "a⟦U+1D159⟧b"),
    ("a\u{2000}b\u{2003}c\u{200A}d", "a⟦U+2000⟧b⟦U+2003⟧c⟦U+200A⟧d"),
    ("a\u{202F}b\u{205F}c\u{1680}d", "a⟦U+202F⟧b⟦U+205F⟧c⟦U+1680⟧d"),
    ("a\u{2028}b\u{2029}c", "a⟦U+2028⟧b⟦U+2029⟧c"),
    ("a\u{FFFC}b", "a⟦U+FFFC⟧b"),
    // Controls of a terminal.
    ("safe\rrm -rf /", "safe⟦U+000D⟧rm -rf /"),
    ("a\u{8}b", "a⟦U+0008⟧b"),
    ("\u{1B}[2Khidden", "⟦U+001B⟧[2Khidden"),
    ("\u{1B}]8;;http://x\u{7}y", "⟦U+001B⟧]8;;http://x⟦U+0007⟧y"),
    ("a\u{9B}31mb", "a⟦U+009B⟧31mb"),
    ("a\u{7F}b\u{85}c\u{0}d", "a⟦U+007F⟧b⟦U+0085⟧c⟦U+0000⟧d"),
    ("one\ntwo\tthree", "one⟦U+000A⟧two⟦U+0009⟧three"),
    ("one\r\ntwo", "one⟦U+000D⟧⟦U+000A⟧two"),
    // What no font has to draw.
    ("a\u{E000}b\u{F8FF}c\u{10FFFD}d", "a⟦U+E000⟧b⟦U+F8FF⟧c⟦U+10FFFD⟧d"),
    ("a\u{378}b", "a⟦U+0378⟧b"),
    ("a\u{FFFF}b\u{FDD0}c\u{10FFFF}d", "a⟦U+FFFF⟧b⟦U+FDD0⟧c⟦U+10FFFF⟧d"),
    // Towers of marks, and marks that stand on what isn't theirs.
    ("a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}b", "a\u{301}\u{302}\u{303}\u{304}⟦U+0305⟧⟦U+0306⟧b"),
    ("\u{338}= equal", "⟦U+0338⟧= equal"),
    ("a\u{200B}\u{301}b", "a⟦U+200B⟧⟦U+0301⟧b"),
    // Letters that pass for others.
    ("pаypal", "p⟦U+0430⟧ypal"),
    ("gοοgle", "g⟦U+03BF ×2⟧gle"),
    ("prоduсtiоn", "pr⟦U+043E⟧du⟦U+0441⟧ti⟦U+043E⟧n"),
    ("bаnк", "b⟦U+0430⟧n⟦U+043A⟧"),
    ("Аdmin", "⟦U+0410⟧dmin"),
    ("ѕudо", "⟦U+0455⟧ud⟦U+043E⟧"),
    ("micrոsoft", "micr⟦U+0578⟧soft"),
    ("ᎳᎥndows", "⟦U+13B3⟧⟦U+13A5⟧ndows"),
    ("Ρython", "⟦U+03A1⟧ython"),
    ("pё", "p⟦U+0451⟧"),
    ("p\u{435}\u{308}n", "p⟦U+0435⟧⟦U+0308⟧n"),
    ("р\u{200B}aypal", "⟦U+0440⟧⟦U+200B⟧aypal"),
    ("пароль cтрока", "пароль ⟦U+0063⟧трока"),
    ("see раураӏ.com", "see ⟦U+0440⟧⟦U+0430⟧⟦U+0443⟧⟦U+0440⟧⟦U+0430⟧⟦U+04CF⟧.com"),
];

/// Texts in which nothing is hidden, of one line.
const INNOCENTS: &[&str] = &[
    "",
    "Which table should the migration drop?",
    "rm -rf build/ && cargo build --release # 100 %",
    "{\"a\": [1, 2], \"b\": \"<script>alert(1)</script>\"}",
    "¿A qué entorno debe desplegarse esto? Mañana, ¡por favor!",
    "Zu groß für Straße, Größe, Ähre",
    "cafe\u{301} re\u{301}sume\u{301} A\u{30A}ngstro\u{308}m",
    "Tiếng Việt có dấu",
    "Tie\u{302}\u{301}ng Vie\u{323}\u{302}t",
    "İstanbul ve Iğdır, ılık",
    "Łódź, Žižkov, Reykjavík, Ōsaka",
    "Прочитать файл и удалить таблицу?",
    "Питон-скрипт в API и JSON",
    "НЕТ и ДА, сок, хор",
    "OK / НЕТ",
    "Κατάργηση του πίνακα;",
    "α = 0.05, β-carotene, Δt, 10 μs, 4 kΩ, Σ, π",
    "TGFβ, ΔΣ-ADC, θx",
    "Ջնջե՞լ աղյուսակը",
    "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
    "هل تريد حذف الجدول؟",
    "قُرْآنٌ كَرِيمٌ",
    "פריסה לייצור, שָׁלוֹם",
    "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים",
    "Deploy לייצור now, העלות 10$",
    "क्या आप तालिका हटाना चाहते हैं?",
    "ต้องการลบตารางหรือไม่ ที่นี่",
    "மேசையை நீக்கவா",
    "ᠮᠣᠩᠭᠣᠯ",
    "བོད་སྐད་",
    "မြန်မာဘာသာ",
    "ខ្មែរ",
    "ქართული",
    "አማርኛ",
    "本番環境にデプロイしますか？",
    "テーブルを削除します。Tシャツ",
    "要部署到生产环境吗？",
    "全角　スペース",
    "테이블을 삭제할까요?",
    "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}",
    "100\u{A0}000 €, « oui »",
    "“quotes” — dashes – … ‰ № § ¶ † ‡ • ™ © ®",
    "→ ⇒ ∀x ∈ ℝ: x² ≥ 0, √2 ≈ 1.41, ½",
    "┌──┐ │ok│ └──┘ ░▒▓█ ✓ ✗",
    "😀 🎉 👍🏽 🤷🏿",
    "👨\u{200D}👩\u{200D}👧\u{200D}👦",
    "👩🏽\u{200D}🚒 🕵\u{FE0F}\u{200D}♂\u{FE0F} 🧑🏻\u{200D}❤\u{FE0F}\u{200D}💋\u{200D}🧑🏿",
    "🏳\u{FE0F}\u{200D}🌈 🏴\u{200D}☠\u{FE0F} ❤\u{FE0F}\u{200D}🔥 👩\u{200D}🦰 🏃\u{200D}➡\u{FE0F} 🐦\u{200D}⬛",
    "🇪🇸 🇯🇵 🇪🇺",
    "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "1\u{FE0F}\u{20E3} #\u{FE0F}\u{20E3} *\u{FE0F}\u{20E3} 2\u{20E3}",
    "☎\u{FE0F} ❤\u{FE0F} ⚠\u{FE0F} ©\u{FE0F} ™\u{FE0F}",
    "C:\\Users\\ana\\file.txt /home/ana/été.txt",
    "user@example.com https://example.com/?q=a%20b#c",
    "SPEC-001 ⟦U+202E⟧ is how an escape is drawn",
    "𝒳 𝔸 ｆｕｌｌ",
    "a                                        b",
];

#[test]
fn every_disguise_is_shown() {
    assert!(DISGUISES.len() >= 60);
    for (text, plain) in DISGUISES {
        let safe = SafeText::line(text);
        assert_eq!(safe.plain(), *plain, "{}", text.escape_unicode());
        assert!(safe.has_escapes());
    }
}

#[test]
fn an_innocent_text_is_left_alone() {
    for text in INNOCENTS {
        for safe in [SafeText::line(text), SafeText::lines(text)] {
            assert_eq!(safe.plain(), *text);
            assert!(!safe.has_escapes());
            assert!(safe.0.len() <= 1);
        }
    }
}

#[test]
fn a_text_of_lines_keeps_newlines_and_tabs_and_takes_windows_line_ends() {
    assert_eq!(SafeText::lines("a\n\tb\r\nc\rd").plain(), "a\n\tb\nc⟦U+000D⟧d");
    assert!(!SafeText::lines("пример\ntext\tпример").has_escapes());
}

#[test]
fn padding_is_named_with_its_length() {
    let far = format!("ls{}; rm -rf /", " ".repeat(120));
    assert_eq!(SafeText::line(&far).plain(), "ls⟦U+0020 ×120⟧; rm -rf /");
    let mixed = format!("ls{}x", " \u{A0}".repeat(60));
    assert_eq!(SafeText::line(&mixed).plain(), "ls⟦U+0020 ×60⟧⟦U+00A0 ×60⟧x");
    let below = format!("ls{}rm", "\n".repeat(21));
    assert_eq!(SafeText::lines(&below).plain(), "ls⟦U+000A ×21⟧rm");
    let blank_lines = format!("ls{}rm", " \r\n".repeat(30));
    assert_eq!(SafeText::lines(&blank_lines).plain(), "ls⟦U+0020 ×30⟧⟦U+000A ×30⟧rm");
    let allowed = format!("a{}b{}c", "\n".repeat(20), " ".repeat(40));
    assert_eq!(SafeText::lines(&allowed).plain(), allowed);
    let indented = format!("a\n{}b", " ".repeat(41));
    assert_eq!(SafeText::lines(&indented).plain(), "a\n⟦U+0020 ×41⟧b");
}

#[test]
fn spans_are_merged_and_serialise_as_the_page_expects() {
    let safe = SafeText::line("a b\u{202E}\u{202E}c");
    assert_eq!(
        serde_json::to_value(&safe).unwrap(),
        serde_json::json!([{"kind": "text", "text": "a b"}, {"kind": "escape", "text": "U+202E ×2"}, {"kind": "text", "text": "c"}])
    );
}

#[test]
fn a_word_that_markup_divides_is_judged_whole() {
    let text = "pаypal";
    let pieces: Vec<String> = SafeText::pieces(text, &[1, 3]).iter().map(SafeText::plain).collect();
    assert_eq!(pieces, ["p", "⟦U+0430⟧", "ypal"]);
    let empty: Vec<String> = SafeText::pieces("ab", &[0, 1, 1, 2]).iter().map(SafeText::plain).collect();
    assert_eq!(empty, ["", "a", "", "b", ""]);
}

/// Code points that must never reach a surface as text, but for the sequences that draw an emoji.
fn draws_nothing(c: char) -> bool {
    !matches!(c, '\n' | '\t' | ' ' | '\u{A0}' | '\u{3000}') && is_hidden(c, c.general_category())
}

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        proptest::sample::select(DISGUISES).prop_map(|(text, _)| text.to_owned()),
        proptest::sample::select(INNOCENTS).prop_map(str::to_owned),
        "[aeoprуаеοр⟦⟧U+0-9×\u{200B}\u{200D}\u{FE0F}❤👩1\u{301}\u{20E3}\u{1F3F4} \n\r\t]{0,12}",
        (0..50usize).prop_map(|n| " ".repeat(n)),
        (0..30usize).prop_map(|n| "\n".repeat(n)),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

#[test]
fn what_looks_like_a_secret_is_told_apart_and_masked_where_text_is_plain() {
    let token = format!("ghp_{}", "a1".repeat(18));
    let safe = SafeText::lines(&format!("push with {token}\u{202e} now"));
    assert_eq!(
        safe.0,
        [
            Span::Text { text: "push with ".into() },
            Span::Secret { text: token.clone() },
            Span::Escape { text: "U+202E".into() },
            Span::Text { text: " now".into() },
        ]
    );
    assert_eq!(safe.plain(), "push with ••••••••⟦U+202E⟧ now");
    assert_eq!(safe.revealed(), format!("push with {token}⟦U+202E⟧ now"));
}

proptest! {
    #[test]
    fn nothing_hidden_reaches_a_surface(text in hostile()) {
        for safe in [SafeText::line(&text), SafeText::lines(&text)] {
            for span in &safe.0 {
                let Span::Text { text } = span else { continue };
                let chars: Vec<char> = text.chars().collect();
                for (at, c) in chars.iter().enumerate() {
                    let in_flag = at > 0 && (at.saturating_sub(6)..at).any(|flag| at - flag <= flag_tags(&chars[flag + 1..]));
                    prop_assert!(!draws_nothing(*c) || is_part_of_emoji(&chars, at) || in_flag, "{:x}", *c as u32);
                }
            }
        }
    }

    #[test]
    fn drawing_a_drawn_text_changes_nothing(text in hostile()) {
        let line = SafeText::line(&text).plain();
        prop_assert_eq!(SafeText::line(&line).plain(), line);
        let lines = SafeText::lines(&text).plain();
        prop_assert_eq!(SafeText::lines(&lines).plain(), lines);
    }

    #[test]
    fn texts_of_plain_words_are_the_text(words in proptest::collection::vec("[a-zA-Z0-9áéíñüß.,;:!?/_-]{1,12}", 0..20)) {
        let text = words.join(" ");
        prop_assert_eq!(SafeText::line(&text).plain(), text);
    }

    #[test]
    fn pieces_are_the_text_cut(text in hostile(), at in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6)) {
        let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let mut cuts: Vec<usize> = at.iter().map(|at| bounds[at.index(bounds.len())]).collect();
        cuts.sort_unstable();
        let pieces = SafeText::pieces(&text, &cuts);
        prop_assert_eq!(pieces.len(), cuts.len() + 1);
        let has = pieces.iter().any(SafeText::has_escapes);
        prop_assert_eq!(has, SafeText::lines(&text).has_escapes());
    }
}

#[test]
fn a_megabyte_of_anything_takes_linear_time() {
    for unit in [
        "a",
        " ",
        "\n ",
        "\u{200B}",
        "\u{200B}\u{200C}",
        "а",
        "aа",
        "aа ",
        "⟦U+0430⟧",
        "⟦U+",
        "a\u{301}",
        "👩\u{200D}",
        "🏴\u{E0067}",
    ] {
        let text = unit.repeat((1 << 20) / unit.len());
        let safe = SafeText::lines(&text);
        assert!(!safe.plain().is_empty(), "{unit:?}");
    }
}

#[test]
fn lines_are_those_of_the_text_each_without_its_end() {
    let key = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----", "A".repeat(64));
    let blank = "a\n".to_owned() + &"\n".repeat(40) + "b";
    for text in ["", "\n", "a", "a\n", "a\r\nb", "\n\na\n\n", "a\rb\n", "é\n\u{202e}x\n😀", &key, &blank] {
        let lines = SafeText::by_line(text);
        assert_eq!(lines.len(), text.lines().count(), "{text:?}");
        if !text.contains(['\r', '\u{202e}', 'K']) {
            let plain: Vec<_> = lines.iter().map(SafeText::plain).collect();
            assert_eq!(plain, text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }
    assert_eq!(SafeText::by_line(&key)[1].plain(), MASK, "a secret of several lines is one on each of them");
    assert_eq!(SafeText::by_line("a\n\u{202e}x")[1].plain(), "⟦U+202E⟧x");
    assert_eq!(SafeText::by_line("a\r\nb")[0].plain(), "a");
}
