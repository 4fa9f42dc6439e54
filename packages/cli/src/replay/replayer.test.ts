import { expect, it } from 'vitest'
import type { RecordedObservation } from '../traces/trace-file.ts'
import { openAiChat } from './dialects/openai-chat.ts'
import { differenceOf } from './difference.ts'
import { callsOf, type RecordedCall } from './recording.ts'
import { Replayer } from './replayer.ts'
import { readPlace, stepOf } from './tree-place.ts'

/** A row of a trace: its id, its parent, its name, and what is asked of a model. */
type Row = readonly [id: string, parent: string | null, name: string, asked?: string, failure?: string]

const observations = (rows: readonly Row[]): RecordedObservation[] =>
  rows.map(([id, parentObservationId, name, input, statusMessage], at) => ({
    ...{ id, traceId: 't', parentObservationId, name },
    startTime: new Date(at).toISOString(),
    type: input === undefined ? 'AGENT' : 'GENERATION',
    ...(input !== undefined && { input: JSON.stringify([{ role: 'user', content: input }]), output: id }),
    ...(statusMessage !== undefined && { level: 'ERROR', statusMessage }),
  }))

function replayerOf(rows: readonly Row[]) {
  const reported: string[] = []
  const calls = callsOf(observations(rows))
  const report = (difference: string) => void reported.push(difference)
  const replayer = new Replayer({ calls, isLiveAfter: false, onDivergence: 'fail', report })
  /** Asks at a place, from the root down, and returns the id of the call that answers. */
  const ask = (content: string, ...place: (readonly [name: string, nth?: number])[]) => {
    const request = { model: undefined, parameters: {}, input: [{ role: 'user', content }], isStream: false }
    const steps = place.map(([name, nth = 0]) => stepOf(name, nth))
    const decision = replayer.decide(request, readPlace(steps.join('')), openAiChat)
    return 'answeredBy' in decision ? decision.answeredBy.id : undefined
  }
  return { ask, reported }
}

/*
 team ─┬─ north ── chat ── chat
       ├─ south ── chat
       └─ south ── chat
*/
const TEAM: readonly Row[] = [
  ['team', null, 'team'],
  ['north', 'team', 'agent north'],
  ['south', 'team', 'agent south'],
  ['again', 'team', 'agent south'],
  ['n1', 'north', 'chat', 'Which way?'],
  ['s1', 'south', 'chat', 'Which way?'],
  ['a1', 'again', 'chat', 'Which way?'],
  ['n2', 'north', 'chat', 'Which way?'],
]

it('equal requests are answered by the calls at their places, in whichever order they arrive', () => {
  const { ask, reported } = replayerOf(TEAM)
  expect(ask('Which way?', ['team'], ['agent south', 1], ['chat'])).toBe('a1')
  expect(ask('Which way?', ['team'], ['agent north'], ['chat', 1])).toBe('n2')
  expect(ask('Which way?', ['team'], ['agent south'], ['chat'])).toBe('s1')
  expect(ask('Which way?', ['team'], ['agent north'], ['chat'])).toBe('n1')
  expect(reported).toEqual([])
})

it('a process that was started has a root of its own, and one without the preload no place', () => {
  const { ask } = replayerOf(TEAM)
  expect(ask('Which way?', ['agent south', 1], ['chat'])).toBe('a1')
  expect(ask('Which way?')).toBe('n1')
  expect(ask('Which way?')).toBe('s1')
})

it('a request that differs is compared with the call at its place', () => {
  const { ask, reported } = replayerOf(TEAM)
  expect(ask('Where to?', ['team'], ['agent south', 1], ['chat'])).toBeUndefined()
  expect(reported).toEqual([
    expect.stringMatching(/^a request differs from chat \(a1\): message 1 \(user\) was "Which/),
  ])
})

it('a retry of the library gets the failure again, one of the application what that got', () => {
  const rows: Row[] = [
    ['root', null, 'agent'],
    ['c1', 'root', 'chat', 'Why?', '503 busy'],
    ['c2', 'root', 'chat', 'Why?'],
  ]
  const { ask } = replayerOf(rows)
  expect([ask('Why?', ['agent'], ['chat']), ask('Why?', ['agent'], ['chat'])]).toEqual(['c1', 'c1'])
  expect(ask('Why?', ['agent'], ['chat', 1])).toBe('c2')
  const nowhere = replayerOf(rows).ask
  expect([nowhere('Why?'), nowhere('Why?')]).toEqual(['c1', 'c2'])
})

it('of what started in the same millisecond the first to end is the first', () => {
  const [slow, fast] = observations([
    ['slow', null, 'chat', 'Why?'],
    ['fast', null, 'chat', 'Why?'],
  ]) as [RecordedObservation, RecordedObservation]
  const endTime = (at: number) => ({ startTime: slow.startTime, endTime: new Date(at).toISOString() })
  const calls = callsOf([
    { ...slow, ...endTime(9) },
    { ...fast, ...endTime(5) },
  ])
  expect(calls.map(({ id }) => id)).toEqual(['fast', 'slow'])
})

it('a parameter that a recorded call has from every object is one that it does not have', () => {
  const [call] = callsOf(observations([['a', null, 'chat', 'hi']]))
  const { model, input } = call as RecordedCall
  const request = { model, input, parameters: { toString: 'a', constructor: 'b' }, isStream: false }
  expect(differenceOf(call as RecordedCall, request as never)).toBeUndefined()
})

it('the title of a call is one line, whoever wrote the trace', () => {
  const [call] = callsOf(observations([['a\nb', null, 'chat\nc', 'hi']]))
  expect(call?.title).toBe('chat c (a b)')
})
