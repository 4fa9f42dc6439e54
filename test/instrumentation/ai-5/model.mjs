// A model inside the process, for what a server cannot time: it says its pieces, and what follows is known.

const TEXT = ['One', ' word']

const about = (modelId, pieces) => [
  { type: 'stream-start', warnings: [] },
  { type: 'response-metadata', id: 'response-1', modelId, timestamp: new Date(0) },
  { type: 'text-start', id: 'text-1' },
  ...pieces.map((delta) => ({ type: 'text-delta', id: 'text-1', delta })),
]

const SOURCE = {
  type: 'source',
  sourceType: 'url',
  id: 'source-1',
  url: 'https://weather.test/paris',
  title: 'Weather',
}

/** What happens once all pieces are said. */
const ENDINGS = {
  cites: (controller, version) => {
    controller.enqueue(SOURCE)
    controller.enqueue({ type: 'text-end', id: 'text-1' })
    controller.enqueue({ type: 'finish', ...finish(version, 'stop') })
    controller.close()
  },
  stalls: () => new Promise(() => {}),
  breaks: (controller) => controller.error(new TypeError('the connection broke')),
  fails: (controller, version) => {
    controller.enqueue({ type: 'error', error: new RangeError('too many words') })
    controller.enqueue({ type: 'finish', ...finish(version, 'error') })
    controller.close()
  },
}

/**
 * A model of the major that `client` is for, which says `pieces` in a stream, and then does as `ending` names. Without a
 * stream it cites its source.
 */
export function modelThat(ending, { client }, pieces = TEXT) {
  const { specificationVersion } = client('any')
  const doStream = async ({ abortSignal }) => {
    const left = about(ending, pieces)
    let fail
    const aborted = new Promise((_, reject) => {
      fail = () => reject(abortSignal.reason)
    })
    aborted.catch(() => {})
    abortSignal?.addEventListener('abort', fail)
    const pull = (controller) => {
      if (left.length > 0) controller.enqueue(left.shift())
      else return Promise.race([aborted, ENDINGS[ending](controller, specificationVersion)])
    }
    return { stream: new ReadableStream({ pull }, { highWaterMark: 0 }) }
  }
  const doGenerate = async () => ({
    content: [{ type: 'text', text: pieces.join('') }, SOURCE],
    ...finish(specificationVersion, 'stop'),
    warnings: [],
    response: { id: 'response-1', modelId: ending, timestamp: new Date(0) },
  })
  return { specificationVersion, provider: 'test', modelId: ending, supportedUrls: {}, doStream, doGenerate }
}

function finish(version, reason) {
  if (version === 'v2') {
    return { finishReason: reason, usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } }
  }
  const usage = { inputTokens: { total: 3 }, outputTokens: { total: 2 } }
  return { finishReason: { unified: reason, raw: reason }, usage }
}
