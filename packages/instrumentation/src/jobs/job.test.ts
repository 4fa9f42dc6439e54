import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { CallSpan } from '../record/call.ts'
import { BATCHES } from './batch.ts'
import { beginJob, readResults, type StartJob, updateJob } from './job.ts'

recordSpans()
beforeEach(() => {
  vi.useFakeTimers()
  forgetSpans()
})
afterEach(() => {
  // What is still open ends.
  vi.runAllTimers()
  vi.useRealTimers()
})

const start: StartJob = (more) => new CallSpan({ scope: 'scope', attributes: {}, ...more })
const begin = (id: string) => beginJob(BATCHES, { id, status: 'validating' }, start({ name: 'batch' }))
const told = () =>
  finishedSpans().map(({ name, attributes, links, status }) => ({
    name,
    status: status.message ?? attributes['svc.observation.status_message'],
    state: attributes['svc.observation.metadata.batch_status'],
    links: links.length,
  }))

it('a batch that somebody waits for is one observation, and what reads its results is linked', () => {
  begin('one')
  for (const status of ['in_progress', 'finalizing', 'completed', 'completed']) {
    updateJob(BATCHES, { id: 'one', status, output_file_id: 'file-one' }, start)
    vi.advanceTimersByTime(500_000)
  }
  expect(told()).toEqual([{ name: 'batch', state: '"completed"', links: 0 }])
  readResults(BATCHES, 'file-one', start)
  readResults(BATCHES, 'a file of somebody else', start)
  expect(told().slice(1)).toEqual([{ name: 'batch results', links: 1 }])
})

it('a batch of which nobody asks for ends with what was known, and what ends later is linked to it', () => {
  begin('two')
  vi.advanceTimersByTime(600_000)
  updateJob(BATCHES, { id: 'two', status: 'in_progress' }, start)
  updateJob(BATCHES, { id: 'two', status: 'expired' }, start)
  expect(told()).toEqual([
    { name: 'batch', status: 'the response was not read to its end', state: '"validating"', links: 0 },
    { name: 'batch', state: '"expired"', links: 1 },
  ])
})

it('a batch that starts again while it is open, as by a retry, is the one that was there', () => {
  expect(begin('three')).toBe(true)
  expect(begin('three')).toBe(false)
  updateJob(BATCHES, { id: 'three', status: 'completed' }, start)
  updateJob(BATCHES, { id: 'three', status: 'completed' }, start)
  expect(told()).toEqual([{ name: 'batch', state: '"completed"', links: 0 }])
})

it('of more than a thousand batches the oldest ends', () => {
  for (let at = 0; at <= 1_000; at++) begin(`many-${at}`)
  expect(told()).toEqual([expect.objectContaining({ name: 'batch', state: '"validating"' })])
})

it("a batch of Together's, whose first state is beside a warning, is one observation with the failure", () => {
  const state = { id: 'four', input_file_id: 'file-in' }
  const job = { ...state, status: 'VALIDATING' }
  expect(beginJob(BATCHES, { job, warning: 'Slow.' }, start({ name: 'batch' }))).toBe(true)
  updateJob(BATCHES, { ...state, status: 'FAILED', error: 'The file is empty.' }, start)
  expect(told()).toEqual([{ name: 'batch', status: 'The file is empty.', state: '"FAILED"', links: 0 }])
  expect(BATCHES.readResponse({ job }).metadata).toMatchObject({ batch_id: 'four', input_files: ['file-in'] })
})
