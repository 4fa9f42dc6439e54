/** The one style sheet, for light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dde1e6, #343a43); --dim: light-dark(#5c6672, #97a1ad);
  --panel: light-dark(#f6f7f9, #1b1f25); --accent: light-dark(#2557c7, #8db0ff); --bad: light-dark(#b3261e, #ff9d94);
  --warn: light-dark(#8a5a00, #f0c36d); }
body { font: 15px/1.5 system-ui, sans-serif; background: light-dark(#fff, #121519); color: light-dark(#1b2027, #e5e8ec);
  margin: 0 auto; padding: 1.5rem; max-width: 72rem; }
h1 { font-size: 1.35rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
p { margin: 0 0 .5rem; }
a { color: var(--accent); }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
.dim { color: var(--dim); }
.ERROR { color: var(--bad); font-weight: 600; } .WARNING { color: var(--warn); font-weight: 600; }
table { border-collapse: collapse; width: 100%; margin-top: 1rem; }
th { text-align: left; font-weight: 600; color: var(--dim); }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; }
th, .number, time, .ERROR, .WARNING, .DEBUG { white-space: nowrap; }
.cell, .message { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.cell { min-width: 4rem; max-width: 20rem; overflow-wrap: break-word; } details[open] .message { display: block; white-space: pre-wrap; }
ul.tree, ul.tree ul { list-style: none; margin: 0; padding: 0; }
ul.tree ul { border-left: 1px solid var(--line); margin-left: .6rem; padding-left: 1rem; }
ul.tree { margin-top: 1rem; }
.observation { padding: .3rem 0; min-width: 20rem; }
.observation > summary { cursor: pointer; overflow-wrap: anywhere; }
.observation > summary > * { margin-right: .6rem; }
.type { font-size: 11px; letter-spacing: .04em; border: 1px solid var(--line); border-radius: 4px; padding: 1px 6px;
  background: var(--panel); }
.type.GENERATION, .type.EMBEDDING { color: var(--accent); border-color: var(--accent); }
.score { display: inline-block; border: 1px solid var(--line); border-radius: 999px; padding: 0 .5rem; font-size: 12px;
  background: var(--panel); margin-right: .3rem; overflow-wrap: anywhere; }
h2 { font-size: .8rem; color: var(--dim); margin: .5rem 0 .15rem; text-transform: uppercase; letter-spacing: .04em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; margin: 0; padding: .6rem;
  max-height: 28rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; margin: .5rem 0; } dt { color: var(--dim); display: inline; }
dt::after { content: " "; } dd { display: inline; margin: 0; overflow-wrap: anywhere; }
nav { margin-top: 1rem; display: flex; gap: 1rem; }
`
