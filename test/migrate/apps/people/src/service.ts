import type { SvcClient } from '@svc/client'

interface Dependencies {
  readonly svc: SvcClient
  readonly name: string
}

export class Prompts {
  readonly #svc: SvcClient
  private cache = new Map<string, string>()

  constructor({ svc }: Dependencies) {
    this.#svc = svc
  }

  async load(name: string): Promise<string> {
    const known = this.cache.get(name)
    if (known !== undefined) return known
    const { prompt } = await this.#svc.getPrompt(name)
    return prompt
  }
}

export class Datasets {
  constructor(private readonly svc: SvcClient, protected name = 'capitals') {}

  fill = async () => {
    await this.svc.createDatasetItem({ datasetName: this.name, input: 1 })
  }

  get api() {
    return this.svc.api
  }

  async remove(id: string) {
    await this.api.datasetItems.delete(id, { maxRetries: 0 })
  }
}

export const withClient = <T>(svc: SvcClient, fn: (svc: SvcClient) => T): T => fn(svc)
export const review = ({ svc, name }: Dependencies) => withClient(svc, (client) => client.prompt.get(name))
export async function judge(deps: Dependencies) {
  return deps.svc.getDataset(deps.name)
}
