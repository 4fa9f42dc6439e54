import { ask } from '../../ask.js'

export async function getServerSideProps({ params, locale }) {
  await ask()
  return { props: { text: `${locale} ${JSON.stringify(params)}` } }
}

export default function Page({ text }) {
  return <p>{text}</p>
}
