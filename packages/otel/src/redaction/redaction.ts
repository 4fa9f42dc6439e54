import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { LONGEST } from '@svc/core/foreign-text'
import { FAILED_TO_SERIALIZE, fieldsOf, isFields, valueAt } from '@svc/core/json'
import { log } from '@svc/core/log'
import { DEEPEST } from '../export/otlp/value.ts'
import type { Step } from '../pipeline.ts'
import type { ReadableSpan, Resource } from '../sdk.ts'
import { withAttributes, withoutRaw } from '../span-view.ts'
import { type Finder, finder, whole } from './occurrence.ts'
import type { RedactionOptions } from './options.ts'
import { type Rule, redactText } from './redact-text.ts'
import { findSecrets } from './secrets.ts'

export const SECRETS: Rule = { kind: 'secret', find: findSecrets, readsEscapes: true }

/** Returns what hides personal data; where that has to be loaded first, as a promise. */
export type LoadPersonal = (asked: ReadonlySet<string>) => readonly Rule[] | Promise<readonly Rule[]>

/** Who and what a trace is about: a mark would tear apart what belongs together. */
const KEPT: ReadonlySet<string> = new Set([
  ATTRIBUTE.TRACE_USER_ID,
  ATTRIBUTE.TRACE_SESSION_ID,
  ATTRIBUTE.TRACE_TAGS,
  ATTRIBUTE.TRACE_COMPAT_USER_ID,
  ATTRIBUTE.TRACE_COMPAT_SESSION_ID,
  ATTRIBUTE.COMPAT_TAGS,
  GEN_AI.CONVERSATION_ID,
])

/** What is counted is less than this, and stays a number: tokens, bytes, milliseconds. */
const MOST_COUNTED = 1e9

/**
 * Hides secrets and personal data in all texts of a span: name, status, attributes, events, links and resource, whose
 * command line may have a key in it. It does so in a view of the span, at once. Users, sessions and tags stay.
 */
export class Redaction {
  /** By what they were asked for with, because the same options may come again. */
  readonly #asked = new Map<string, Rule>()
  #rules: readonly Rule[] = []
  readonly #personal = new Set<string>()
  /** Those of spans, with what stands for them: batches are made of spans with the same one. */
  #resources = new WeakMap<Resource, Resource>()

  readonly #load: LoadPersonal
  /** Until what was asked for is there. Rejects if it cannot be loaded: no span may go without. */
  #loading: Promise<void> | undefined

  constructor(options: RedactionOptions, load: LoadPersonal) {
    this.#load = load
    this.add(options)
  }

  /** Hides more, in spans that end from now on. */
  add({ redact = ['none'], redactPatterns }: RedactionOptions): void {
    if (!redact.includes('none')) {
      this.#ask(SECRETS)
      for (const name of redact) if (name !== 'secrets') this.#personal.add(name)
    }
    if (this.#personal.size > 0) {
      const use = (rules: readonly Rule[]) => {
        for (const rule of rules) this.#ask(rule)
      }
      const loaded = this.#load(this.#personal)
      if (loaded instanceof Promise) this.#wait(loaded.then(use))
      else use(loaded)
    }
    for (const [kind, pattern] of Object.entries(redactPatterns ?? {})) {
      if (pattern instanceof RegExp) this.#ask({ kind, find: finderOf(pattern) }, `${kind} ${pattern}`)
    }
  }

  readonly #ask = (rule: Rule, name: unknown = rule.kind): void => {
    this.#asked.set(String(name), rule)
    this.#rules = [...this.#asked.values()]
    this.#resources = new WeakMap()
  }

  #wait(loading: Promise<void>): void {
    const all = Promise.all([this.#loading, loading]).then(() => {
      if (this.#loading === all) this.#loading = undefined
    })
    this.#loading = all
    // Each span that waits for it tells.
    all.catch(() => {})
  }

  readonly step: Step = (span) => this.#loading?.then(() => this.#hidden(span)) ?? this.#hidden(span)

  #hidden(span: ReadableSpan): ReadableSpan {
    if (this.#rules.length === 0) return span
    const name = this.#text(span.name)
    const attributes = this.#attributes(span.attributes)
    const message = span.status.message === undefined ? undefined : this.#message(span.status.message)
    const events = this.#each(span.events)
    const links = this.#each(span.links)
    const resource = span.resource && this.#resource(span.resource)
    const isSame = name === span.name && message === span.status.message && attributes === span.attributes
    if (isSame && events === span.events && links === span.links && resource === span.resource) return span
    const status = message === undefined ? span.status : { ...span.status, message }
    return { ...withAttributes(span, attributes), name, status, events, links, resource }
  }

  /** Some of its attributes may come later, and are read when it is sent. */
  #resource(resource: Resource): Resource {
    const known = this.#resources.get(resource)
    if (known) return known
    const hide = () => this.#attributes(resource.attributes)
    const isHidden = resource.asyncAttributesPending || hide() !== resource.attributes
    const shown = isHidden ? withAttributesOf(resource, hide) : resource
    this.#resources.set(resource, shown)
    return shown
  }

  /** @param parts of which events have a name, and links have none */
  #each<Part extends { readonly name?: string; readonly attributes?: Attributes }>(parts: Part[]): Part[] {
    const changed = parts.map((part) => {
      const attributes = part.attributes && this.#attributes(part.attributes)
      const name = part.name && this.#text(part.name)
      return attributes === part.attributes && name === part.name ? part : { ...part, name, attributes }
    })
    return changed.some((part, at) => part !== parts[at]) ? changed : parts
  }

  /** Returns the same object if nothing is hidden. */
  #attributes(attributes: Attributes): Attributes {
    let changed = attributes
    for (const key of Object.keys(attributes)) {
      if (KEPT.has(key)) continue
      const value = valueAt(attributes, key)
      const isMessage = key === ATTRIBUTE.OBSERVATION_STATUS_MESSAGE && typeof value === 'string'
      const redacted = isMessage ? this.#message(value) : this.#attribute(value)
      if (redacted === value) continue
      // A getter may throw.
      if (changed === attributes) changed = (fieldsOf(attributes) ?? {}) as Attributes
      changed[key] = redacted as Attributes[string]
    }
    return changed === attributes ? attributes : withoutRaw(changed)
  }

  /** What cannot be searched to its end, as it has none or throws, could not be sent either. */
  #attribute(value: unknown): unknown {
    try {
      return this.#value(value)
    } catch {
      return FAILED_TO_SERIALIZE
    }
  }

  /** Since its version 3, OpenTelemetry takes lists in lists, objects and bytes as well. */
  #value(value: unknown, depth = 0): unknown {
    if (depth > DEEPEST) throw new RangeError(`nested deeper than ${DEEPEST} levels`)
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'number') return Math.abs(value) < MOST_COUNTED ? value : this.#number(value)
    if (value instanceof Uint8Array) return this.#bytes(value)
    if (Array.isArray(value)) {
      const all = value.map((each) => this.#value(each, depth + 1))
      return all.some((each, at) => each !== value[at]) ? all : value
    }
    if (!isFields(value)) return value
    const fields = Object.keys(value).map((key) => [key, this.#value(value[key], depth + 1)] as const)
    return fields.some(([key, each]) => each !== value[key]) ? Object.fromEntries(fields) : value
  }

  /** As in JSON, it becomes a text where it is hidden. */
  #number(value: number): unknown {
    const hidden = this.#text(String(value))
    return hidden === String(value) ? value : hidden
  }

  #bytes(bytes: Uint8Array): Uint8Array {
    let text: string
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch {
      return bytes
    }
    const hidden = this.#text(text)
    return hidden === text ? bytes : new TextEncoder().encode(hidden)
  }

  /** Marks are longer than most of what they hide: a message is no longer for them than any may be. */
  #message(text: string): string {
    return this.#text(text).slice(0, Math.max(text.length, LONGEST))
  }

  #text(text: string): string {
    return redactText(text, this.#rules, reportSecret)
  }
}

/** The same resource with other attributes, which are asked for each time. */
const withAttributesOf = (resource: Resource, attributes: () => Attributes): Resource => ({
  get attributes() {
    return attributes()
  },
  get asyncAttributesPending() {
    return resource.asyncAttributesPending === true
  },
  ...(resource.schemaUrl !== undefined && { schemaUrl: resource.schemaUrl }),
  waitForAsyncAttributes: async () => resource.waitForAsyncAttributes?.(),
  merge: (other) => resource.merge(other),
  getRawAttributes: () => resource.getRawAttributes(),
})

function finderOf({ source, flags }: RegExp): Finder {
  return finder([[new RegExp(source, flags.includes('g') ? flags : `${flags}g`), whole]])
}

function reportSecret(kind: string): void {
  if (kind === 'secret') log.once('warn', FOUND)
}

const FOUND =
  'a secret was in what is recorded, and is replaced by [secret:…]. SVC_REDACT=none leaves secrets as they are.'
