import { SvcClient } from '@svc/client'

/** Puts into the service what pages read there: a prompt, and a dataset. */
export async function fillService(env: Readonly<Record<string, string>>): Promise<void> {
  const { SVC_PUBLIC_KEY: publicKey, SVC_SECRET_KEY: secretKey, SVC_BASE_URL: baseUrl } = env
  const client = new SvcClient({ publicKey, secretKey, baseUrl })
  for (const labels of [[], ['staging'], ['production']]) {
    await client.prompt.create({ name: 'movie-critic', prompt: 'Judge {{movie}}.', labels })
  }
  await client.prompt.create({
    name: 'guide',
    type: 'chat',
    prompt: [
      { role: 'system', content: 'You know {{city}} well.' },
      { type: 'placeholder', name: 'history' },
      { role: 'user', content: '{{question}}' },
    ],
    labels: ['production'],
  })
  await client.prompt.create({
    name: 'critics',
    type: 'chat',
    prompt: [{ role: 'user', content: 'Judge {{movie}}.' }],
    labels: ['production'],
  })
  await client.api.datasets.create({ name: 'capitals' })
  await client.dataset.createItem({ datasetName: 'capitals', id: 'capital-no', input: 'Norway' })
  await client.api.datasets.create({ name: 'animals' })
}
