import type { App } from '../app.ts'

let visitors = 0

/** Somebody who asks an application. The proxy knows them by their cookies. */
export class Visitor {
  readonly user: string
  readonly #app: App

  constructor(app: App) {
    visitors += 1
    this.user = `user-${visitors}`
    this.#app = app
  }

  get session(): string {
    return `session of ${this.user}`.replaceAll(' ', '-')
  }

  get cookie(): string {
    return `user=${this.user}; session=${this.session}`
  }

  ask(path: string, { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    const all = { cookie: this.cookie, ...headers }
    return fetch(this.#app.url + path, { redirect: 'manual', ...init, headers: all })
  }

  async read(path: string, init?: Parameters<Visitor['ask']>[1]): Promise<{ status: number; text: string }> {
    const response = await this.ask(path, init)
    return { status: response.status, text: await response.text() }
  }

  post(path: string, body?: string): Promise<{ status: number; text: string }> {
    return this.read(path, { method: 'POST', ...(body === undefined ? {} : { body }) })
  }

  /** Sends a form of `/act` as a browser without JavaScript does. */
  async submit(index: number, fields: Record<string, string>): Promise<Response> {
    const { text } = await this.read('/act')
    const actions = [...text.matchAll(/name="(\$ACTION_ID_\w+)"/g)].map(([, name = '']) => name)
    const form = new FormData()
    for (const [name, value] of Object.entries({ [actions[index] ?? '']: '', ...fields })) form.set(name, value)
    return this.ask('/act', { method: 'POST', body: form })
  }
}
