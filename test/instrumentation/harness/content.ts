import { run, type Variant } from './run.ts'
import type { RecordedTrace } from './tree.ts'

type Observation = RecordedTrace['observation']

/** What is recorded of the cases of variants if content is switched off. */
export async function recordedWithoutContent(variants: readonly Variant[]): Promise<Observation[][]> {
  const env = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'false' }
  const { runs } = await run(variants, true, { env })
  return runs.map(({ traces }) =>
    Object.values(traces).flatMap((roots) => roots.flatMap(({ below }) => below.flatMap(withBelow))),
  )
}

function withBelow({ observation, below }: RecordedTrace): Observation[] {
  return [observation, ...below.flatMap(withBelow)]
}
