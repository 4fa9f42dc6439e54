import { SvcClient } from '@svc/client'

type Prompts = Pick<SvcClient, 'getPrompt' | 'createPrompt'>
type Container = { get<T>(token: unknown): T }

export const load = (svc: Prompts, name: string) => svc.getPrompt(name)
export const fromContainer = (app: Container) => app.get<SvcClient>('svc').getDataset('a')
export const same = (app: Container) => (app.get(SvcClient) as SvcClient).getDataset('a')

export interface Context {
  svc?: SvcClient | null
  nested: { readonly clients: { main: SvcClient } }
}
export async function handle({ svc, nested }: Context, { nested: { clients: { main } } }: Context) {
  if (!svc) return nested.clients.main.getPrompt('a')
  const { compile } = await svc.getPrompt('a')
  const loads = [svc.getPrompt, main.getPrompt] as const
  return [compile, await Promise.all(loads.map((each) => each('a')))]
}

export class Base<C extends SvcClient = SvcClient> {
  protected constructor(protected readonly client: C) {}
}
export class Derived extends Base {
  static make = (client: SvcClient) => new Derived(client)
  run() {
    return this.client.createPrompt({ name: 'a', prompt: 'b' })
  }
}
export function isSvc(value: unknown): value is SvcClient {
  return value instanceof SvcClient
}
export async function narrowed(value: unknown) {
  const svc = value as SvcClient
  const asserted = <SvcClient>value
  await asserted.getPrompt('a')
  return svc.updatePrompt({ name: 'a', version: 1, newLabels: [] })
}
export namespace inner {
  const client = new SvcClient()
  export const load = () => client.getPrompt('a')
}
export async function* pages() {
  using_: for (const client of [new SvcClient()]) {
    yield client.api.datasets.list()
    break using_
  }
}
