// What @svc/otel exported in version 5, as far as the apps beside it go.
export type MaskFunction = (params: { data: any }) => any
export class SvcSpanProcessor {
  constructor(params?: {
    publicKey?: string
    secretKey?: string
    baseUrl?: string
    mask?: MaskFunction
    env?: Record<string, string | undefined>
    environment?: string
  })
  forceFlush(): Promise<void>
}
