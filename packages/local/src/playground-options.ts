/** The address and the user's key for a vendor of models. */
export interface VendorAccess {
  readonly apiKey: string
  /** Default: the vendor's own. */
  readonly baseUrl?: string | undefined
}

/** The vendors that the playground may call: none unless a key was given. */
export interface PlaygroundOptions {
  readonly openai?: VendorAccess | undefined
  readonly anthropic?: VendorAccess | undefined
}

export type VendorName = keyof PlaygroundOptions
