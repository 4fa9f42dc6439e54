import { own } from '@svc/core/own'
import type { Part } from '../gen-ai/content.ts'
import { dataUri, textPart, toolResponsePart, uriPart } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { readThoughts } from './wire.ts'

/** Converts content parts, of both APIs, that the conventions define. Other parts are recorded as they are. */
const PARTS: Readonly<Record<string, (part: Fields) => Part>> = {
  text: ({ text }) => textPart(text),
  input_text: ({ text }) => textPart(text),
  output_text: ({ text }) => textPart(text),
  // Mistral's.
  thinking: (part) => ({ type: 'reasoning', content: readThoughts(part) }),
  refusal: ({ refusal }) => ({ type: 'refusal', content: refusal }),
  image_url: ({ image_url }) => toUriOrFilePart('image', asRecord(image_url).url ?? image_url),
  input_image: ({ image_url, file_id }) => toUriOrFilePart('image', image_url, file_id),
  // In the messages of a thread.
  image_file: ({ image_file }) => toUriOrFilePart('image', undefined, asRecord(image_file).file_id),
  // Of vLLM, OpenRouter and Qwen.
  video_url: ({ video_url }) => uriPart('video', asRecord(video_url).url ?? video_url),
  audio_url: ({ audio_url }) => uriPart('audio', asRecord(audio_url).url ?? audio_url),
  computer_screenshot: ({ image_url, file_id }) => toUriOrFilePart('image', image_url, file_id),
  // Mistral has an address, or the data alone.
  input_audio: ({ input_audio }) => toAudioPart(asString(input_audio) ?? asRecord(input_audio)),
  // Mistral has the id beside the type.
  file: ({ file, ...own }) => toFilePart(asRecord(file ?? own)),
  input_file: toFilePart,
}

/** Converts content: a text, or a list of parts. */
export function toParts(content: unknown): Part[] {
  return asArray(content).map((part) => {
    if (!isObject(part)) return textPart(part)
    const type = asName(part.type) ?? 'unknown'
    return own(PARTS, type)?.(part) ?? { ...part, type }
  })
}

/** Converts the result of a tool: a value, or a list of parts. Only Ollama sends the tool's name. */
export function toToolResponsePart(id: unknown, output: unknown, name?: unknown): Part {
  return toolResponsePart(id, Array.isArray(output) && !output.some(isValue) ? toParts(output) : output, name)
}

const isValue = (part: unknown) => isObject(part) && part.type === undefined

/**
 * Converts images beside the content of an answer, as OpenRouter, LiteLLM and Vercel's gateway have them. The bytes of
 * what a model made are not recorded.
 */
export function toImageParts(images: unknown): Part[] {
  return asArray(images)
    .flat()
    .map((image) => {
      const { image_url, imageUrl = image_url } = asRecord(image)
      const uri = asRecord(imageUrl).url ?? imageUrl
      const [, mime_type] = /^data:([\w/.+-]{1,99})/.exec(asString(uri) ?? '') ?? []
      return mime_type === undefined ? toUriOrFilePart('image', uri) : { type: 'blob', modality: 'image', mime_type }
    })
}

function toUriOrFilePart(modality: string, uri: unknown, file_id?: unknown): Part {
  return uri ? uriPart(modality, uri) : { type: 'file', modality, file_id }
}

function toAudioPart(audio: string | Fields): Part {
  if (typeof audio === 'string' && /^(data|https?):/.test(audio)) return uriPart('audio', audio)
  const { data, format }: Fields = typeof audio === 'string' ? { data: audio } : audio
  return uriPart('audio', dataUri(`audio/${asString(format) ?? 'wav'}`, data))
}

function toFilePart({ file_id, file_data, file_url, filename }: Fields): Part {
  const uri = file_data ?? file_url
  return defined(uri ? { type: 'uri', uri, filename } : { type: 'file', file_id, filename })
}
