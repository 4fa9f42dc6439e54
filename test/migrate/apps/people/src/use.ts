import * as svcClient from '@svc/client'
import { everywhere, getClient, lazy, Observability, svc } from './index.js'
import * as all from './svc.js'

const { api, ...rest } = svc
const { getPrompt, createPrompt: makePrompt } = svc
const { api: { scoresV3 }, prompt: prompts } = new svcClient.SvcClient()
const scores = getClient().api.legacy.scoreV1
const load = svc.getPrompt

export class Reviewer extends Observability {
  async review(name: string) {
    return (await this.getPrompt(name)).compile()
  }
}

export async function main(other?: svcClient.SvcClient, fallback = new Observability()) {
  await getPrompt('a')
  await makePrompt({ name: 'a', prompt: 'b' })
  await load('a')
  await prompts.get('a')
  await scoresV3.getManyV3({ id: 'a' })
  await scores.create({ name: 'a', value: 1 })
  await scores.delete('a', { maxRetries: 0 })
  await api.health.health({ timeoutInSeconds: 1 })
  await rest.getDataset('a')
  await other?.getDataset('a')
  await fallback!.getDataset('a')
  await (other ?? svc).createDataset({ name: 'a' })
  await (await lazy()).getPrompt('a')
  await everywhere.eu.getPrompt('a')
  await everywhere['us']['getPrompt']('a')
  await all.default.getPrompt('a')
  await getClient()
    // the first of them
    .getPrompt('a')
  const many = await Promise.all(['a', 'b'].map((name) => svc.getPrompt(name)))
  many.forEach((each) => each.compile())
  await svc.api.scores
    .create({ name: 'a', value: 1 })
    .catch(() => undefined)
  return svc.getPrompt('a').then((prompt) => prompt.version)
}

export type Get = svcClient.SvcClient['getPrompt']
export type Dataset = Awaited<ReturnType<typeof svc.getDataset>>
export type Rename = ReturnType<svcClient.SvcClient['api']['datasetItems']['get']>
