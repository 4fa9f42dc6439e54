import { expect, it } from 'vitest'
import { isForm, readForm } from './form.ts'

async function bytesOf(form: FormData): Promise<Buffer> {
  return Buffer.from(await new Response(form).arrayBuffer())
}

it('the text fields of a form are read, on both sides of a file that is not kept whole', async () => {
  const form = new FormData()
  form.append('prompt', 'Zwei Zeilen,\r\nschön.')
  form.append('file', new Blob(['a sound\r\n'.repeat(1_000)]), 'sound.mp3')
  form.append('model', 'whisper')
  const bytes = await bytesOf(form)
  const kept = Buffer.concat([bytes.subarray(0, 500), bytes.subarray(-500)])
  expect([bytes, kept].map(readForm)).toEqual(Array(2).fill({ prompt: 'Zwei Zeilen,\r\nschön.', model: 'whisper' }))
})

it('a file in a form cannot be taken for a field, and other bodies are no forms', async () => {
  const form = new FormData()
  form.append('file', new Blob(['\r\n\r\nContent-Disposition: form-data; name="model"\r\n\r\nmine\r\n--']), 'a.txt')
  expect(readForm(await bytesOf(form))).toEqual({})
  expect(readForm(Buffer.from('--'))).toEqual({})
  expect([Buffer.from('{}'), Buffer.alloc(0)].map(isForm)).toEqual([false, false])
})
