//! Markdown of agents as it comes out: what is kept, and what never runs, loads or leads elsewhere.

use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use std::fmt::Write;

fn check(text: &str, expect: Expect) {
    let mut out = String::new();
    blocks(&mut out, 0, &parse(text));
    expect.assert_eq(&out);
}

/// The tree, a block a line.
fn blocks(out: &mut String, depth: usize, tree: &[Block]) {
    let pad = "  ".repeat(depth);
    for block in tree {
        match block {
            Block::Heading { level, children } => writeln!(out, "{pad}h{level} {}", inlines(children)).unwrap(),
            Block::Paragraph { children } => writeln!(out, "{pad}p {}", inlines(children)).unwrap(),
            Block::List { ordered, start, items } => {
                for item in items {
                    writeln!(out, "{pad}{}", if *ordered { format!("{start}.") } else { "-".into() }).unwrap();
                    blocks(out, depth + 1, item);
                }
            }
            Block::Quote { children } => {
                writeln!(out, "{pad}>").unwrap();
                blocks(out, depth + 1, children);
            }
            Block::Code { language, spans } => {
                let language = language.as_ref().map(SafeText::plain).unwrap_or_default();
                writeln!(out, "{pad}code[{language}] {:?}", spans.plain()).unwrap();
            }
            Block::Table { head, rows } => {
                for row in std::iter::once(head).chain(rows) {
                    let cells: Vec<String> = row.iter().map(|cell| inlines(cell)).collect();
                    writeln!(out, "{pad}| {}", cells.join(" | ")).unwrap();
                }
            }
            Block::Rule => writeln!(out, "{pad}rule").unwrap(),
        }
    }
}

fn inlines(tree: &[Inline]) -> String {
    tree.iter()
        .map(|node| match node {
            Inline::Text { spans } => spans.plain().replace('\n', "↵"),
            Inline::Code { spans } => format!("`{}`", spans.plain()),
            Inline::Emphasis { children } => format!("<em {}>", inlines(children)),
            Inline::Strong { children } => format!("<strong {}>", inlines(children)),
            Inline::Strike { children } => format!("<strike {}>", inlines(children)),
            Inline::Link { href, children } => format!("<link {} → {}>", inlines(children), href.plain()),
            Inline::Image { href, alt } => format!("<image {} → {}>", alt.plain(), href.plain()),
            Inline::Break => "<break>".to_owned(),
        })
        .collect()
}

#[test]
fn blocks_and_inlines_come_out_typed() {
    check(
        "# Deploy *now*\n\nSome **bold**, ~~old~~ and `code`.\nSoft  \nhard.\n\n---\n\n> quoted\n\n```rust ignore\nfn a() {}\n\nx\n```\n\n    indented\n",
        expect![[r#"
            h1 Deploy <em now>
            p Some <strong bold>, <strike old> and `code`.↵Soft<break>hard.
            rule
            >
              p quoted
            code[rust ignore] "fn a() {}\n\nx"
            code[] "indented"
        "#]],
    );
    check(
        "- one\n- two\n  1. a\n  2. b\n\n7. seven\n\n8. eight\n\n- [ ] todo\n- [x] done",
        expect![[r#"
            -
              p one
            -
              p two
              1.
                p a
              1.
                p b
            7.
              p seven
            7.
              p eight
            -
              p [ ] todo
            -
              p [x] done
        "#]],
    );
}

#[test]
fn html_is_text() {
    for html in [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<iframe src=\"javascript:alert(1)\"></iframe>",
        "<style>*{display:none}</style>",
        "<meta http-equiv=refresh content=\"0;url=http://x\">",
        "<!-- hidden words -->",
        "<details><summary>s</summary>hidden</details>",
        "<a href=\"data:text/html,<script>\">x</a>",
        "<?php echo 1 ?>",
        "<![CDATA[x]]>",
    ] {
        for text in
            [html.to_owned(), format!("before {html} after"), format!("> {html}"), format!("| a |\n|---|\n| {html} |")]
        {
            let mut out = String::new();
            blocks(&mut out, 0, &parse(&text));
            assert!(out.contains(html), "{text:?} gave {out:?}");
            assert!(!out.contains("<link") && !out.contains("<image"));
        }
    }
    check("a <b>bold</b> c", expect!["p a <b>bold</b> c\n"]);
    check("<div>\n*not emphasis*\n</div>\n\nafter", expect!["p <div>↵*not emphasis*↵</div>\np after\n"]);
}

#[test]
fn addresses_are_shown_as_they_are() {
    check("[click](javascript:alert(1))", expect!["p <link click → javascript:alert(1)>\n"]);
    check(
        "[a](java&#115;cript:x) [b](data:text/html,x)",
        expect!["p <link a → javascript:x> <link b → data:text/html,x>\n"],
    );
    check(
        "[https://bank.example](https://evil.example)",
        expect!["p <link https://bank.example → https://evil.example>\n"],
    );
    check(
        "<https://a.example> <ana@a.example>",
        expect!["p <link https://a.example → https://a.example> <link ana@a.example → mailto:ana@a.example>\n"],
    );
    check("https://bare.example", expect!["p https://bare.example\n"]);
    check("[a](http://x/\u{202E}y 'its title')", expect!["p <link a “its title” → http://x/⟦U+202E⟧y>\n"]);
    check("![alt *text*](http://x/beacon.png \"t\")", expect!["p <image alt text “t” → http://x/beacon.png>\n"]);
    check("![see [this](http://inner)](http://outer)", expect!["p <image see this (http://inner) → http://outer>\n"]);
    check("[![i](http://x/i.png)](http://y)", expect!["p <link <image i → http://x/i.png> → http://y>\n"]);
    check("[](http://empty) ![](http://image)", expect!["p <link  → http://empty> <image  → http://image>\n"]);
}

#[test]
fn what_markdown_would_drop_is_shown() {
    check(
        "[//]: # (a hidden comment)\n\nSee [the docs][d].\n\n[d]: http://docs \"T\"\n[d]: http://other\n",
        expect![[r#"
            p [//]: # (a hidden comment)
            p See <link the docs “T” → http://docs>.
            p [d]: http://docs "T"↵[d]: http://other
        "#]],
    );
    check(
        "> [x]: http://y\n> text\n\n- [z]: http://w\n- item",
        expect![[r#"
        >
          p > [x]: http://y↵>
          p text
        -
          p - [z]: http://w
        -
          p item
    "#]],
    );
    check(
        "| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | and *drop* | it |\n",
        expect![[r#"
        | a | b
        | 1 | 
        | 1 | 2 | and *drop* | it
    "#]],
    );
}

#[test]
fn tables_keep_their_cells() {
    check(
        "| File | Change |\n|:---|---:|\n| `a.rs` | **gone** |\n| b \\| c | [x](y) |\n\nafter",
        expect![[r#"
            | File | Change
            | `a.rs` | <strong gone>
            | b | c | <link x → y>
            p after
        "#]],
    );
}

#[test]
fn hidden_characters_show_everywhere() {
    check(
        "# a\u{202E}b\n\n`c\u{200B}d`\n\n```e\u{200B}f\ng\u{7}h\n\ti\n```\n\n![j\u{AD}k](l)",
        expect![[r#"
        h1 a⟦U+202E⟧b
        p `c⟦U+200B⟧d`
        code[e⟦U+200B⟧f] "g⟦U+0007⟧h\n\ti"
        p <image j⟦U+00AD⟧k → l>
    "#]],
    );
    check("&#x202e;abc &#8203;", expect!["p ⟦U+202E⟧abc ⟦U+200B⟧\n"]);
    check("p**а**ypal and p&#x430;ypal", expect!["p p<strong ⟦U+0430⟧>ypal and p⟦U+0430⟧ypal\n"]);
}

#[test]
fn the_tree_serialises_as_the_page_expects() {
    let tree = parse("3. **x** [y](z)\n");
    assert_eq!(
        serde_json::to_value(&tree).unwrap(),
        serde_json::json!([{"kind": "list", "ordered": true, "start": 3, "items": [[{"kind": "paragraph", "children": [
            {"kind": "strong", "children": [{"kind": "text", "spans": [{"kind": "text", "text": "x"}]}]},
            {"kind": "text", "spans": [{"kind": "text", "text": " "}]},
            {"kind": "link", "href": [{"kind": "text", "text": "z"}], "children": [{"kind": "text", "spans": [{"kind": "text", "text": "y"}]}]},
        ]}]]}])
    );
    assert_eq!(serde_json::to_value(parse("---")).unwrap(), serde_json::json!([{"kind": "rule"}]));
    assert_eq!(
        serde_json::to_value(parse("    x")).unwrap(),
        serde_json::json!([{"kind": "code", "language": null, "spans": [{"kind": "text", "text": "x"}]}])
    );
}

/// The deepest nesting of containers and nodes, found without recursion of its own on the input.
fn depth(tree: &[Block]) -> usize {
    let deepest = |blocks: &[Block]| depth(blocks);
    tree.iter()
        .map(|block| match block {
            Block::Quote { children } => 1 + deepest(children),
            Block::List { items, .. } => 1 + items.iter().map(|item| deepest(item)).max().unwrap_or(0),
            Block::Paragraph { children } | Block::Heading { children, .. } => inline_depth(children),
            _ => 0,
        })
        .max()
        .unwrap_or(0)
}

fn inline_depth(tree: &[Inline]) -> usize {
    tree.iter()
        .map(|node| match node {
            Inline::Emphasis { children } | Inline::Strong { children } | Inline::Strike { children } => {
                1 + inline_depth(children)
            }
            Inline::Link { children, .. } => inline_depth(children),
            _ => 0,
        })
        .max()
        .unwrap_or(0)
}

#[test]
fn deep_nesting_is_flattened_and_its_text_kept() {
    for text in [
        ">".repeat(10_000) + " end",
        "- ".repeat(10_000) + "end",
        "1. ".repeat(5_000) + "end",
        "> - ".repeat(5_000) + "end",
        "*a **b ".repeat(5_000) + "end" + &"** *".repeat(5_000),
        "*a ".repeat(5_000) + "end" + &"*".repeat(5_000),
        ">".repeat(40) + "*a **b ".repeat(20).as_str() + "end" + &"***".repeat(20),
        "[".repeat(10_000) + "end" + &"](x)".repeat(10_000),
        "![".repeat(10_000) + "end" + &"](x)".repeat(10_000),
    ] {
        let tree = parse(&text);
        assert!(depth(&tree) <= DEPTH);
        let mut out = String::new();
        blocks(&mut out, 0, &tree);
        assert!(out.contains("end"));
        assert!(serde_json::to_string(&tree).is_ok());
    }
}

#[test]
fn much_of_anything_takes_linear_time() {
    // What is quadratic anywhere takes minutes here.
    let one = |unit: &str| unit.repeat((1 << 18) / unit.len());
    for text in [
        "word ".repeat(1 << 18),
        one("word "),
        one("a\n"),
        one("*a* "),
        one("*a "),
        one("**a** _b_ "),
        one("`"),
        one("`a``b```"),
        one("["),
        one("[a]("),
        one("![a](b)"),
        one("[a][b]\n"),
        one("[a]: b\n"),
        one("<a "),
        one("<!--"),
        one("&#x202e;"),
        one("| a "),
        one("|a|b|\n|-|-|\n"),
        one("~~a~ "),
        one("> a\n"),
        one("- a\n"),
        one("\\\n"),
        one("  \n"),
        one("> "),
        one("# "),
        one("```\n"),
        one("]]>"),
        one("<?"),
        one("<![CDATA["),
        one("_a__b_"),
        format!("{}\n{}", ">".repeat(1000), one("a\n")),
        format!("{}\n{}\n{}", "|a".repeat(1000), "|-".repeat(1000), one("|\n")),
    ] {
        assert!(!parse(&text).is_empty() || text.trim().is_empty());
    }
}

proptest! {
    /// Every word of the source is somewhere in the tree: as text, code, address, title or fence.
    #[test]
    fn no_word_is_lost(parts in proptest::collection::vec(proptest::sample::select(vec![
        "> ", "- ", "* ", "2. ", "# ", "\n", "\n\n", "    ", "```", "`", "*", "**", "_", "~~", "[", "]", "(", ")", "](", "]: ", "![", "<", ">", "<b>",
        "<!--", "-->", "| ", " |", "\n|---|---|\n", "---", "===", "\"", "'", "\\", "&", ";", "  \n", "\t", "\r\n", "<div>", "</div>", "http://",
    ]), 0..60)) {
        let mut text = String::new();
        for (at, part) in parts.iter().enumerate() {
            write!(text, "{part}w{at}x").unwrap();
        }
        let mut out = String::new();
        blocks(&mut out, 0, &parse(&text));
        for at in 0..parts.len() {
            prop_assert!(out.contains(&format!("w{at}x")), "w{at}x of {text:?} is not in {out}");
        }
    }
}

#[test]
fn parts_are_counted_so_that_what_draws_them_can_refuse_too_many() {
    assert_eq!(parts(&parse("a *b*")), 6);
    assert_eq!(parts(&parse("- a\n- b")), 9);
    assert!(parts(&parse(&"[x](y) ".repeat(10_000))) > 30_000);
    assert!(parts(&parse(&"word ".repeat(100_000))) < 10);
}
