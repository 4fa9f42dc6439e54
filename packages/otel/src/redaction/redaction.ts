import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as GENERAL from '@svc/core/attributes/general'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { LONGEST, redactKeys } from '@svc/core/foreign-text'
import { FAILED_TO_SERIALIZE, fieldsOf, isFields, valueAt } from '@svc/core/json'
import { log } from '@svc/core/log'
import { ON_SERVER } from '@svc/core/on-server'
import { DEEPEST } from '../export/otlp/value.ts'
import type { Step } from '../pipeline.ts'
import type { ReadableSpan, Resource } from '../sdk.ts'
import { type Replacements, replaced, withoutRaw } from '../span-view.ts'
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

/** Attributes with the message of an error. */
const MESSAGES: ReadonlySet<string> = new Set([
  ATTRIBUTE.OBSERVATION_STATUS_MESSAGE,
  GENERAL.ERROR_MESSAGE,
  GENERAL.EXCEPTION_MESSAGE,
  GENERAL.EXCEPTION_STACKTRACE,
])

/** What is counted is less than this, and stays a number: tokens, bytes, milliseconds. */
const MOST_COUNTED = 1e9

/**
 * Hides secrets and personal data in all texts of a span: name, status, attributes, events, links and resource, whose
 * command line may have a key in it. It does so in a view of the span, at once. Users, sessions and tags stay. Keys in the
 * message of an error are hidden whatever was asked for.
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
    return replaced(span, this.#replacements)
  }

  readonly #replacements: Replacements = {
    name: (name) => this.#text(name),
    message: (text) => this.#message(text),
    attributes: (attributes) => this.#attributes(attributes),
    resource: (resource) => this.#resource(resource),
  }

  /** Some of its attributes may come later, and are read when it is sent. */
  #resource(resource: Resource): Resource {
    const known = this.#resources.get(resource)
    if (known) return known
    const hide = () => this.#attributes(resource.attributes)
    const isSame = !resource.asyncAttributesPending && hide() === resource.attributes
    const shown = isSame ? resource : withAttributesOf(resource, hide)
    this.#resources.set(resource, shown)
    return shown
  }

  /** Returns the same object if nothing is hidden. */
  #attributes(attributes: Attributes): Attributes {
    let changed = attributes
    for (const key of Object.keys(attributes)) {
      if (KEPT.has(key)) continue
      const value = valueAt(attributes, key)
      const isMessage = MESSAGES.has(key) && typeof value === 'string'
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

  #value(value: unknown, depth = 0): unknown {
    if (depth > DEEPEST) throw new RangeError(`nested deeper than ${DEEPEST} levels`)
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'number') return Math.abs(value) < MOST_COUNTED ? value : this.#number(value)
    if (Array.isArray(value)) {
      const all = value.map((each) => this.#value(each, depth + 1))
      return all.some((each, at) => each !== value[at]) ? all : value
    }
    // Since its version 3, OpenTelemetry takes objects and bytes as well. A span of the edge does not.
    if (!ON_SERVER || !isFields(value)) return value
    if (value instanceof Uint8Array) return this.#bytes(value)
    const fields = Object.keys(value).map((key) => [key, this.#value(value[key], depth + 1)] as const)
    return fields.some(([key, each]) => each !== value[key]) ? Object.fromEntries(fields) : value
  }

  /** As in JSON, it becomes a text where it is hidden. */
  #number(value: number): unknown {
    const hidden = this.#text(String(value))
    return hidden === String(value) ? value : hidden
  }

  /** Bytes that are no text are not, either, where a secret is among them. */
  #bytes(bytes: Uint8Array): Uint8Array {
    const text = new TextDecoder().decode(bytes)
    const hidden = this.#text(text)
    return hidden === text ? bytes : new TextEncoder().encode(hidden)
  }

  /**
   * Without the keys that errors quote, and no longer than 64 KiB: marks are longer than most of what they hide. The library
   * or framework that wrote it may not know the key, and repeats what a client of the application sent.
   */
  #message(text: string): string {
    return this.#text(redactKeys(text)).slice(0, LONGEST)
  }

  #text(text: string): string {
    return this.#rules.length === 0 ? text : redactText(text, this.#rules, reportSecret)
  }
}

/** The same resource with other attributes, which are asked for each time. */
const withAttributesOf = (resource: Resource, attributes: () => Attributes): Resource =>
  new Proxy(resource, {
    get(_, name) {
      if (name === 'attributes') return attributes()
      const value: unknown = Reflect.get(resource, name)
      return typeof value === 'function' ? value.bind(resource) : value
    },
  })

function finderOf({ source, flags }: RegExp): Finder {
  return finder([[new RegExp(source, flags.includes('g') ? flags : `${flags}g`), whole]])
}

function reportSecret(kind: string): void {
  if (kind === 'secret') log.once('warn', FOUND)
}

const FOUND =
  'a secret was in what is recorded, and is replaced by [secret:…]. SVC_REDACT=none leaves secrets as they are.'
