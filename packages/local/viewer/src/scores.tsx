import { useState } from 'preact/hooks'
import type { ScoreMark } from '../../src/trace/pages/trace-list.ts'
import { request } from './api.ts'
import { FormEnd } from './form-end.tsx'
import { rounded } from './format.ts'

/** A score as it is shown beside its trace or observation. */
export interface ShownScore extends Pick<ScoreMark, 'id' | 'name' | 'dataType'> {
  readonly value: number | string | boolean
  readonly comment?: string | null
}

/** Name and value of scores; the comment is seen when the pointer rests on one. */
export function ScoreMarks({ scores }: { scores: readonly ShownScore[] }) {
  return (
    <>
      {scores.map((score) => (
        <span key={score.id} class="badge score" title={score.comment ?? undefined}>
          <span class="cut">{score.name}</span> <b>{scoreValue(score)}</b>
        </span>
      ))}
    </>
  )
}

export function scoreValue({ value, dataType }: Pick<ShownScore, 'value' | 'dataType'>): string {
  if (dataType === 'BOOLEAN') return value === 1 || value === true ? 'true' : 'false'
  return typeof value === 'number' ? rounded(value) : String(value)
}

/** Begins the name of a column that has the values of one score, in the URL and in the browser. */
export const SCORE = 'score:'

/** One score as it is shown alone; the average of several numbers, or the latest of several others. */
export function meanScore(scores: readonly ShownScore[]): string {
  const latest = scores.at(-1)
  const numbers = scores.flatMap(({ value }) => (typeof value === 'number' ? value : []))
  if (latest === undefined || numbers.length < 2) return latest === undefined ? '' : scoreValue(latest)
  return rounded(numbers.reduce((sum, value) => sum + value, 0) / numbers.length)
}

interface About {
  readonly traceId?: string
  readonly observationId?: string
  readonly sessionId?: string
}

/** Gives a score by hand: thumbs, a number, or a category. */
export function AddScore({ about, onAdded }: { about: About; onAdded?: () => void }) {
  const [open, setOpen] = useState(false)
  const [error, setError] = useState('')
  const send = async (score: { name: string; value: number | string; dataType: string; comment?: string }) => {
    try {
      await request('/api/public/scores', { method: 'POST', body: { ...about, ...score } })
      setOpen(false)
      setError('')
      onAdded?.()
    } catch (failed) {
      setError((failed as Error).message)
    }
  }
  if (!open) {
    return (
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        Add score
      </button>
    )
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const [name, value, comment] = ['name', 'value', 'comment'].map((field) => String(form.get(field) ?? '').trim())
    const number = Number(value)
    const numeric = value !== '' && Number.isFinite(number)
    void send({
      name: name ?? '',
      ...(numeric ? { value: number, dataType: 'NUMERIC' } : { value: value ?? '', dataType: 'CATEGORICAL' }),
      ...(comment ? { comment } : {}),
    })
  }
  const thumb = (value: 0 | 1) => () => void send({ name: 'thumbs', value, dataType: 'BOOLEAN' })
  return (
    <form class="add-score" onSubmit={onSubmit}>
      <button type="button" onClick={thumb(1)} aria-label="Thumbs up">
        👍
      </button>
      <button type="button" onClick={thumb(0)} aria-label="Thumbs down">
        👎
      </button>
      <input name="name" required placeholder="name" aria-label="Name of the score" size={10} />
      <input name="value" required placeholder="number or category" aria-label="Value" size={14} />
      <input name="comment" placeholder="comment" aria-label="Comment" size={12} />
      <button type="submit">Add</button>
      <FormEnd error={error} onCancel={() => setOpen(false)} />
    </form>
  )
}
