import { useEffect, useState } from 'preact/hooks'
import { useAnswer } from '../api.ts'

interface MediaTag {
  readonly type: string
  readonly id: string
}

/** Reads the tag in the place of a file that was lifted out of a value. */
function mediaTag(text: string): MediaTag | undefined {
  const [, type, id] = /^@@@svcMedia:type=([^|@]+)\|id=([^|@]+)\|source=[^|@]+@@@$/.exec(text) ?? []
  return type !== undefined && id !== undefined ? { type, id } : undefined
}

/** A file that was uploaded beside the trace. */
function Media({ type, id }: MediaTag) {
  const { data, error } = useAnswer<{ url: string }>(`/api/public/media/${encodeURIComponent(id)}`)
  if (error) return <span class="media-missing dim">{type}, which has not arrived</span>
  if (!data) return <span class="dim">{type}</span>
  const { pathname, search } = new URL(data.url)
  return <Shown type={type} url={pathname + search} />
}

function Shown({ type, url }: { type: string; url: string }) {
  if (type.startsWith('image/')) return <img class="media" src={url} alt={type} loading="lazy" />
  // biome-ignore lint/a11y/useMediaCaption: output of a model has no captions
  if (type.startsWith('audio/')) return <audio class="media" src={url} controls preload="none" />
  // biome-ignore lint/a11y/useMediaCaption: as above
  if (type.startsWith('video/')) return <video class="media" src={url} controls preload="none" />
  if (type === PDF && navigator.pdfViewerEnabled) return <Pdf url={url} />
  return (
    <a href={url} download>
      {type}
    </a>
  )
}

const PDF = 'application/pdf'

/** A PDF in the viewer of the browser. It is read here, and called a PDF whatever it is: no answer has to be shown in a frame. */
function Pdf({ url }: { url: string }) {
  const [file, setFile] = useState<string>()
  useEffect(() => {
    let made = ''
    const left = new AbortController()
    fetch(url, { signal: left.signal })
      .then((response) => response.arrayBuffer())
      .then(
        (bytes) => {
          if (left.signal.aborted) return
          made = URL.createObjectURL(new Blob([bytes], { type: PDF }))
          setFile(made)
        },
        () => {},
      )
    return () => {
      left.abort()
      URL.revokeObjectURL(made)
    }
  }, [url])
  return file === undefined ? <span class="dim">{PDF}</span> : <iframe class="media" src={file} title={PDF} />
}

const INLINE = /^data:((?:image\/(?:png|jpe?g|gif|webp)|audio\/[\w.+-]+|application\/pdf));base64,[A-Za-z0-9+/=\s]+$/

/** Returns whether the file of a URL is with the trace: it was lifted out, or is part of the URL. */
export const isShown = (url: string): boolean => mediaTag(url) !== undefined || INLINE.test(url)

/** A file that a message names: lifted out, inline, or somewhere else. What is elsewhere is never loaded: it would learn who reads. */
export function MediaUrl({ url }: { url: string }) {
  const tag = mediaTag(url)
  if (tag) return <Media {...tag} />
  const inline = INLINE.exec(url.length > 20_000_000 ? '' : url)
  if (inline) return <Shown type={inline[1] ?? ''} url={url} />
  if (/^https?:\/\//i.test(url)) {
    return (
      <a href={url} target="_blank" rel="noopener noreferrer nofollow">
        {url}
      </a>
    )
  }
  return <code>{url.slice(0, 200)}</code>
}
