import { SvcClient } from '@svc/client'

const svc = new SvcClient()

export async function Page({ name, client = svc }: { name: string; client?: SvcClient }) {
  const [prompt] = [await client.getPrompt(name)]
  return (
    <main title={(await svc.getPrompt(name)).compile()}>
      {prompt.version} of {await svc.getDataset(name).then(({ id }) => id)}
    </main>
  )
}

declare global {
  namespace JSX {
    interface IntrinsicElements { main: { title?: string; children?: unknown } }
    type Element = unknown
  }
}
