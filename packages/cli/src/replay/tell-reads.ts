import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { isMethod, overrideMethod } from '@svc/core/override-method'

/** Tells the replay server what this process has read of its answers. */
export class ReadTeller {
  readonly #server: URL
  #connection: Socket | undefined

  constructor(server: URL) {
    this.#server = server
  }

  /** Follows the requests of undici. @param idOf returns the id of a request by its path; undefined for others @returns what undoes it */
  followUndici(idOf: (path: string) => string | undefined): () => void {
    const created = (message: unknown) => {
      const { request } = message as { readonly request: { readonly path: string } }
      const id = idOf(request.path)
      // Renamed in undici 8, where the first argument is a controller.
      if (id !== undefined) for (const name of ['onData', 'onResponseData']) this.#watch(request, name, id)
    }
    subscribe('undici:request:create', created)
    return () => unsubscribe('undici:request:create', created)
  }

  /** Follows a request of `node:http`. */
  followHttp(request: ClientRequest, id: string): void {
    const watch = (response: object) => this.#watch(response, 'push', id)
    const { emit } = request
    overrideMethod(request, 'emit', function (...args) {
      const [event, response] = args
      if (event === 'response') watch(response as object)
      return Reflect.apply(emit, this, args)
    })
  }

  /** Counts the bytes that a method of one object is called with. */
  #watch(owner: object, name: string, id: string): void {
    const { [name]: method } = owner as Record<string, unknown>
    if (!isMethod(method)) return
    const tell = (bytes: number) => this.#tell(id, bytes)
    let bytes = 0
    overrideMethod(owner, name, function (...args) {
      const chunk = args.find((each) => each instanceof Uint8Array)
      bytes += chunk?.byteLength ?? 0
      // By then it has been read, if somebody waits for it.
      if (chunk) setImmediate(tell, bytes)
      return method.apply(this, args)
    })
  }

  #tell(id: string, bytes: number): void {
    this.#connection ??= this.#connected()
    this.#connection.write(`${id} ${bytes}\n`)
  }

  #connected(): Socket {
    const { hostname, port, host, pathname } = this.#server
    const connection = connect(Number(port), hostname)
    connection.unref()
    connection.on('error', () => connection.destroy())
    connection.write(
      `GET ${pathname}/receipts HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: receipts\r\n\r\n`,
    )
    return connection
  }
}
