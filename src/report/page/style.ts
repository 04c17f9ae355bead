/** The page's look: light and dark by the reader's setting, print, no font or image from anywhere. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1c1e21; --soft: #55595f; --line: #c9ccd1; --back: #ffffff; --raised: #f4f5f7;
  --link: #0b57a4; --good: #d9f0e3; --bad: #f9d8d4; --lost: #fbe9c6; --none: #e3e5e9; --found: #dbe7f5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e8ea; --soft: #b0b4ba; --line: #4a4e55; --back: #17181b; --raised: #222428;
  --link: #8ec1f5; --good: #1d4a35; --bad: #5c2823; --lost: #54431a; --none: #33363b; --found: #22384f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.5rem 4rem; max-width: 78rem; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
h1:focus { outline: none; } details h3 { font-size: .85rem; margin: .6rem 0 .2rem; color: var(--soft); }
a { color: var(--link); } a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible,
.scroll:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th.number, td.number { text-align: right; white-space: nowrap; } thead th { background: var(--raised); }
thead button { all: unset; cursor: pointer; font-weight: 600; } thead button:focus-visible { outline: 3px solid var(--link); }
th[aria-sort=descending] button::after { content: ' ▼'; } th[aria-sort=ascending] button::after { content: ' ▲'; }
.remark { color: var(--soft); font-size: .88rem; margin: .2rem 0; } .note { border-left: 4px solid #b7791f; padding: .3rem .8rem; background: var(--raised); }
figure { margin: 1rem 0 2rem; } figcaption { font-weight: 600; } figure svg { max-width: 100%; height: auto; color: var(--ink); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1rem; list-style: none; padding: 0; margin: .3rem 0; font-size: .88rem; }
.swatch { display: inline-block; width: 1em; height: 1em; border: 1px solid var(--ink); vertical-align: -.15em; margin-right: .35em; }
.filters { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin: .6rem 0; }
.filters label { display: block; font-size: .82rem; color: var(--soft); }
input, select, .plain { font: inherit; padding: .25rem .5rem; border: 1px solid var(--line); border-radius: 4px; background: var(--back); color: var(--ink); }
#detail h1 { font-size: 1.2rem; margin: 1.4rem 0 .5rem; } #detail h2 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } .facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.funnel { list-style: none; padding: 0; margin: .3rem 0; } .stage { display: inline-block; min-width: 6em; } progress { width: 14rem; accent-color: var(--link); }
.query { white-space: pre-wrap; } td.cell { min-width: 7rem; max-width: 24rem; overflow-wrap: anywhere; border-left: 5px solid var(--line); }
td.key { font-weight: 600; max-width: 24rem; overflow-wrap: anywhere; } .predicted::before { content: '→ '; } .absent { font-style: italic; } .absent::before { content: '→ '; }
.verdict { font-size: .75rem; color: var(--soft); }
.class-correct { background: var(--good); border-left-style: solid; } .class-wrong { background: var(--bad); border-left-style: double; }
.class-not-in-answer, .class-not-in-view, .class-not-retrieved { background: var(--lost); border-left-style: dashed; }
.class-not-surfaced, .class-not-opened, .class-not-parsed { background: var(--found); border-left-style: dotted; }
.class-unreadable, .class-budget, .class-no-evidence, .class-none { background: var(--none); border-left-style: none; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); padding: .6rem; max-height: 30rem; overflow-y: auto; font-size: .82rem; }
details { border-bottom: 1px solid var(--line); padding: .2rem 0; } summary { cursor: pointer; } .step { display: inline-block; min-width: 2.2em; font-weight: 600; }
.bar { display: flex; gap: .6rem; flex-wrap: wrap; margin: .5rem 0; } [hidden] { display: none !important; }
@media print { body { max-width: none; } .filters, .bar, thead button::after { display: none; } figure, tr { break-inside: avoid; } }
`
