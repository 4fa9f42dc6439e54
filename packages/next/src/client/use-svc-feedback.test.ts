import { expect, it, vi } from 'vitest'

// What a renderer does for one component, as far as this hook needs it: there is no page here.
const slots: unknown[] = []
let next = 0
vi.mock('react', () => ({
  useState: () => {
    const at = next++
    return [
      slots[at],
      (value: unknown) => {
        slots[at] = value
      },
    ]
  },
  useRef: (current: unknown) => {
    const at = next++
    slots[at] ??= { current }
    return slots[at]
  },
  useCallback: <F>(callback: F) => callback,
}))
const { useSvcFeedback } = await import('./use-svc-feedback.ts')

const answers: ((response: Response) => void)[] = []
vi.stubGlobal('fetch', () => new Promise((resolve) => answers.push(resolve)))

function useRendered(traceId: string | undefined) {
  next = 0
  return useSvcFeedback({ traceId, publicKey: 'pk', baseUrl: 'https://svc.example' })
}
const trace = (digit: string) => digit.repeat(32)
const taken = () => Response.json({ id: 'score' })
const refused = () => Response.json({ message: 'no' }, { status: 400 })

it('useSvcFeedback has the state of a score, and resets it for another answer', async () => {
  expect(useRendered(trace('1')).state).toBe('idle')
  const sending = useRendered(trace('1')).submit(1)
  expect(useRendered(trace('1')).state).toBe('sending')
  answers.shift()?.(taken())
  await sending
  expect(useRendered(trace('1'))).toMatchObject({ state: 'sent', error: undefined })
  expect(useRendered(trace('2')).state).toBe('idle')
})

it('useSvcFeedback never rejects: the reason is in `error`', async () => {
  const sending = useRendered(trace('3')).submit(1)
  answers.shift()?.(refused())
  await sending
  expect(useRendered(trace('3'))).toMatchObject({ state: 'error', error: expect.any(Error) })
  await useRendered(undefined).submit(1)
  expect(useRendered(undefined)).toMatchObject({ state: 'error', error: { message: 'There is no trace to score.' } })
})

it('useSvcFeedback shows the last of two clicks, whichever response comes first', async () => {
  const clicks = [useRendered(trace('4')).submit(1), useRendered(trace('4')).submit(0)]
  const [first, second] = answers.splice(0)
  second?.(taken())
  await clicks[1]
  first?.(refused())
  await clicks[0]
  expect(useRendered(trace('4')).state).toBe('sent')
})
