import type { ScoreMark } from '../../src/viewer/trace-list.ts'

/** Name and value of scores; the comment is seen when the pointer rests on one. */
export function ScoreMarks({ scores }: { scores: readonly ScoreMark[] }) {
  return (
    <>
      {scores.map((score) => (
        <span key={score.id} class="badge score" title={score.comment ?? undefined}>
          {score.name} <b>{scoreValue(score)}</b>
        </span>
      ))}
    </>
  )
}

function scoreValue({ value, dataType }: Pick<ScoreMark, 'value' | 'dataType'>): string {
  if (dataType === 'BOOLEAN') return value === 1 ? 'true' : 'false'
  return typeof value === 'number' ? String(Math.round(value * 1_000) / 1_000) : value
}
