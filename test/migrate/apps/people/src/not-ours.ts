import { SvcClient } from '@svc/client'

class Library {
  api = { scoresV3: { getManyV3: () => 1 }, datasets: { get: (_: string, __: object) => 1 } }
  getPrompt(name: string) {
    return name
  }
  fetchTraces() {
    return []
  }
}

const client = new Library()
client.getPrompt('a')
client.fetchTraces()
client.api.scoresV3.getManyV3()
client.api.datasets.get('a', { maxRetries: 0 })
const { getPrompt } = client
getPrompt.call(client, 'a')
const own = { setTraceIO: () => 1, link: () => 2, compile: () => ['a'] }
own.setTraceIO()
own.link()
own.compile()[0]
document.createElement('a').relList.add('link')

export function shadow(svc: SvcClient) {
  {
    const svc = new Library()
    svc.getPrompt('a')
  }
  return [1].map((svc) => svc.toFixed())
}
export const text = "client.getPrompt('a')" // client.getPrompt('a')
