/** The page's style sheet: light and dark by the reader's preference, a print style, no external fonts or images. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #545b64; --line: #d5d9df; --back: #ffffff; --raised: #f5f7f9; --stripe: #fafbfc;
  --link: #0b57a4; --good: #d9f0e3; --bad: #f9d8d4; --lost: #fbe9c6; --none: #e3e5e9; --found: #dbe7f5; --good-edge: #7cb998; --shade: 0 1px 2px rgb(20 30 40 / .08); }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e7e9ec; --soft: #b0b6be; --line: #3f444c; --back: #15171a; --raised: #1f2226; --stripe: #191c1f;
  --link: #8ec1f5; --good: #1d4a35; --bad: #5c2823; --lost: #54431a; --none: #33363b; --found: #22384f; --good-edge: #3d8263; --shade: none; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem 1.5rem 4rem; max-width: 84rem; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .3rem 0; overflow-wrap: anywhere; } h2 { font-size: 1.25rem; margin: 2.6rem 0 .6rem; padding-bottom: .25rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem; } h1:focus { outline: none; } details h3 { font-size: .85rem; margin: .6rem 0 .2rem; color: var(--soft); }
section, figure { scroll-margin-top: 3.2rem; }
a { color: var(--link); } a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible,
.scroll:focus-visible, .chart:focus-visible, pre:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.contents { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: .5rem 0; margin: 1rem 0 0; background: var(--back); border-bottom: 1px solid var(--line); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); gap: .8rem; list-style: none; padding: 0; margin: 1.1rem 0 0; }
.cards li { display: flex; flex-direction: column; gap: .1rem; padding: .75rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; box-shadow: var(--shade); }
.card-name { font-weight: 600; overflow-wrap: anywhere; } .card-model, .card-facts, .card-value small { color: var(--soft); font-size: .85rem; font-weight: 400; }
.card-value { font-size: 1.8rem; font-weight: 650; line-height: 1.3; font-variant-numeric: tabular-nums; }
.scroll { overflow: auto; border: 1px solid var(--line); border-radius: 6px; width: fit-content; max-width: 100%; }
@media screen { .scroll:has(#attempts), #detail .scroll { max-height: 40rem; } }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; font-size: .93rem; }
caption { text-align: left; font-weight: 600; padding: .4rem .6rem; }
th, td { padding: .25rem .65rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; } tbody tr:last-child td { border-bottom: 0; }
th.number, td.number { text-align: right; white-space: nowrap; } thead th { position: sticky; top: 0; z-index: 1; background: var(--raised); white-space: nowrap; }
.sortable td { white-space: nowrap; } .sortable td:first-child { white-space: normal; min-width: 8rem; max-width: 26rem; overflow-wrap: anywhere; }
.sortable tbody tr:nth-child(even) { background: var(--stripe); } .sortable tbody tr:hover { background: var(--raised); }
thead button { all: unset; cursor: pointer; font-weight: 600; } thead button:focus-visible { outline: 3px solid var(--link); }
th[aria-sort=descending] button::after { content: ' ▼'; } th[aria-sort=ascending] button::after { content: ' ▲'; }
.remark { color: var(--soft); font-size: .88rem; margin: .3rem 0; max-width: 62rem; } .note { border-left: 4px solid #b7791f; border-radius: 0 4px 4px 0; padding: .35rem .8rem; margin: .5rem 0; background: var(--raised); }
figure { margin: 1rem 0 1.4rem; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px; } figcaption { font-weight: 600; } figure svg { display: block; max-width: 100%; height: auto; color: var(--ink); } .chart { overflow-x: auto; }
@media screen and (max-width: 50rem) { figure svg { max-width: none; } }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1rem; list-style: none; padding: 0; margin: .4rem 0; font-size: .88rem; }
.swatch { display: inline-block; width: 1em; height: 1em; border: 1px solid var(--ink); border-radius: 2px; vertical-align: -.15em; margin-right: .35em; }
.filters { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin: .6rem 0 .9rem; } #attempt-count { color: var(--soft); padding-bottom: .3rem; }
.filters > div, select { max-width: 100%; } .filters label { display: block; font-size: .82rem; color: var(--soft); }
input, select, .plain { font: inherit; padding: .25rem .5rem; border: 1px solid var(--line); border-radius: 4px; background: var(--back); color: var(--ink); } .plain { cursor: pointer; } .plain:hover { background: var(--raised); }
#detail h1 { font-size: 1.3rem; margin: 1.2rem 0 .6rem; } #detail h2 { font-size: 1.05rem; margin: 1.8rem 0 .5rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0; } .facts dt { color: var(--soft); max-width: 22rem; overflow-wrap: anywhere; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.funnel { list-style: none; padding: 0; margin: .3rem 0; } .stage { display: inline-block; min-width: 6em; } progress { width: 14rem; accent-color: var(--link); }
.query { white-space: pre-wrap; max-width: 62rem; } td.cell { min-width: 8.5rem; max-width: 24rem; overflow-wrap: anywhere; border-left: 5px solid var(--soft); }
#detail td:first-child { min-width: 11rem; } td.key { font-weight: 600; min-width: 11rem; max-width: 24rem; overflow-wrap: anywhere; } .predicted::before { content: '→ '; } .absent { font-style: italic; } .absent::before { content: '→ '; }
.result { font-weight: 600; margin: .3rem 0; } .explanation { margin: .3rem 0 1.1rem; padding-left: 1.2rem; max-width: 62rem; } .explanation li { overflow-wrap: anywhere; }
.verdict { font-size: .75rem; color: var(--soft); } .cell .verdict { color: var(--ink); opacity: .85; }
td.class-correct { background: var(--good); border-left-color: var(--good-edge); } td.class-wrong, td.class-invented { background: var(--bad); border-left-style: double; }
td.class-not-in-answer, td.class-missed-row, td.class-not-in-view, td.class-not-retrieved, td.class-cut-from-window { background: var(--lost); border-left-style: dashed; }
td.class-not-surfaced, td.class-not-opened, td.class-not-parsed { background: var(--found); border-left-style: dotted; }
td.class-unreadable, td.class-budget, td.class-unread, td.class-no-evidence, td.class-none { background: var(--none); border-left-color: transparent; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); border-radius: 4px; padding: .6rem; max-height: 30rem; overflow-y: auto; font-size: .82rem; }
.trace { margin-top: .4rem; } .trace input { width: 20rem; max-width: 100%; margin-bottom: .5rem; }
details { border-bottom: 1px solid var(--line); padding: .25rem 0; } summary { cursor: pointer; overflow-wrap: anywhere; } summary:hover { background: var(--raised); } .step { display: inline-block; min-width: 2.2em; font-weight: 600; }
.bar { display: flex; gap: .6rem 1rem; flex-wrap: wrap; align-items: center; margin: .5rem 0; } [hidden] { display: none !important; }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 11px; } .filters, .bar, .contents, thead button::after { display: none; } figure, tr, .cards li { break-inside: avoid; } h2, h3, figcaption { break-after: avoid; }
  .cell, .swatch, svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; } .scroll, pre { overflow: visible; max-height: none; width: auto; border: 0; } thead th { position: static; } .cards { grid-template-columns: repeat(3, 1fr); } }
`
