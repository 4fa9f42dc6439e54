import { hostVariables } from '@svc/core/environment'
import { serveTraces } from '@svc/local/mcp'
import { type Answered, shownName } from '@svc/local/questions'
import type { RunCommand } from '../command.ts'
import { appIn } from '../doctor/app/app.ts'
import { examine } from '../doctor/checks.ts'
import { withApi } from '../traces/open.ts'
import type { PlaceFlags } from '../traces/place.ts'

/** `svc mcp`: a server of the Model Context Protocol on stdin and stdout, until the client leaves. */
export const run: RunCommand = async (_, flags) => {
  await withApi(flags as PlaceFlags, ({ api }) =>
    serveTraces({ reader: api, ...(flags.allowWrite === true && { writer: api }), doctor }),
  )
  return 0
}

/** What `svc doctor --offline` finds in this folder. */
async function doctor(): Promise<Answered> {
  const app = appIn({
    folder: process.cwd(),
    host: hostVariables(),
    nodeVersion: process.version,
    configFile: undefined,
  })
  const findings = (await examine(app, { offline: true })).flatMap((section) => section.findings)
  const order = ['error', 'warning', 'info', 'ok']
  const sorted = [...findings].sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
  const rows = sorted.map(({ id, severity, seen, means, remedy }) => ({
    text: [`${severity}: ${seen}`, means, remedy && `→ ${remedy}`]
      .flatMap((line) => (line ? [shownName(line, 600)] : []))
      .join('\n    '),
    data: { id, severity, seen, means: means ?? null, remedy: remedy ?? null },
  }))
  return { title: 'What stands in the way of traces from this folder', rows }
}
