import type { ListedTrace } from '../../../src/trace/pages/trace-list.ts'
import { type ListColumn, NAME, NUMBER, PREVIEW, SHORT } from '../columns.tsx'
import { amount, dollars, duration, exact } from '../format.ts'
import { meanScore, SCORE, ScoreMarks } from '../scores.tsx'
import { Time } from '../time.tsx'

const COLUMNS: readonly ListColumn<ListedTrace>[] = [
  { key: 'name', title: 'Name', sort: 'name', ...NAME, cell: nameCell },
  { key: 'input', title: 'Input', ...PREVIEW, cell: ({ question }) => question },
  { key: 'output', title: 'Output', ...PREVIEW, cell: ({ answer }) => answer },
  { key: 'who', title: 'User, session', width: 'minmax(60px, 1fr)', kind: 'who cut', from: 600, cell: whoCell },
  { key: 'environment', title: 'Environment', ...SHORT, extra: true, cell: ({ environment }) => environment },
  { key: 'tags', title: 'Tags', ...SHORT, extra: true, cell: ({ tags }) => tags.map(badge) },
  { key: 'models', title: 'Models', ...SHORT, kind: 'cut dim', cell: ({ models }) => models.join(', ') },
  { key: 'scores', title: 'Scores', ...SHORT, cell: ({ scores }) => <ScoreMarks scores={scores} /> },
  {
    ...{ key: 'steps', title: 'Steps', sort: 'observations', width: '42px', ...NUMBER, kind: 'right dim', from: 900 },
    cell: ({ observations }) => exact(observations),
  },
  {
    ...{ key: 'latency', title: 'Latency', sort: 'latency', width: '64px', ...NUMBER, from: 0 },
    cell: ({ startTime, endTime }) => duration(endTime - startTime),
  },
  {
    ...{ key: 'tokens', title: 'Tokens', sort: 'tokens', width: '52px', ...NUMBER, from: 900 },
    about: ({ inputTokens, outputTokens }) => `${exact(inputTokens)} in, ${exact(outputTokens)} out`,
    cell: ({ totalTokens }) => (totalTokens > 0 ? amount(totalTokens) : ''),
  },
  {
    ...{ key: 'cost', title: 'Cost', sort: 'cost', width: '72px', ...NUMBER },
    about: ({ estimated }) => (estimated ? 'By the list prices built in' : null),
    cell: ({ cost, estimated }) => (cost === null ? '' : dollars(cost, estimated)),
  },
  {
    ...{ key: 'time', title: 'Started', sort: 'time', width: 'min(160px, 22vw)', ...NUMBER, from: 0 },
    cell: ({ startTime }) => <Time micros={startTime} />,
  },
]

/** Of one score. It is shown where it was chosen. */
const scoreColumn = (key: string): ListColumn<ListedTrace> => ({
  ...{ key, title: key.slice(SCORE.length), sort: key, width: '72px', ...NUMBER, from: 900, extra: true },
  cell: ({ scores }) => meanScore(scores.filter(({ name }) => SCORE + name === key)),
})

/** @param scores names of scores that traces have. A chosen one is a column before they are known. */
export const traceColumns =
  (scores: readonly string[] = []) =>
  (keys: readonly string[]): readonly ListColumn<ListedTrace>[] => {
    const scoreKeys = [...keys.filter((key) => key.startsWith(SCORE)), ...scores.map((name) => SCORE + name)]
    const ofScores = [...new Set(scoreKeys)].map(scoreColumn)
    return COLUMNS.flatMap((column) => (column.key === 'scores' ? [column, ...ofScores] : column))
  }

const badge = (text: string) => (
  <span key={text} class="badge">
    {text}
  </span>
)

function nameCell(
  { traceId, name, level, open, errors, tags, environment }: ListedTrace,
  isShown: (key: string) => boolean,
) {
  const labels = [
    ...(environment === 'default' || isShown('environment') ? [] : [environment]),
    ...(isShown('tags') ? [] : tags),
  ]
  return (
    <>
      <span class={`dot ${level}`} title={level} />
      <a class="cover" href={`/traces/${traceId}`}>
        {name ?? 'no root yet'}
      </a>
      {open && <span class="badge running">running</span>}
      {level === 'ERROR' && <span class="badge ERROR">{errors > 1 ? `${errors} errors` : 'error'}</span>}
      {level === 'WARNING' && <span class="badge WARNING">warning</span>}
      {labels.length > 0 && <span class="labels">{labels.map(badge)}</span>}
    </>
  )
}

function whoCell({ userId, sessionId }: ListedTrace) {
  return (
    <>
      {userId !== null && (
        <a href={`/?user=${encodeURIComponent(userId)}`} title={`Traces of user ${userId}`}>
          {userId}
        </a>
      )}
      {sessionId !== null && (
        <a href={`/sessions/${encodeURIComponent(sessionId)}`} class="dim" title={`Session ${sessionId}`}>
          {sessionId}
        </a>
      )}
    </>
  )
}
