// A whole list in a link: JSON, packed and written in letters that a URL may have.

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())
}

export async function packed(data: unknown): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(data)), new CompressionStream('deflate-raw'))
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

const LARGEST = 400_000

export async function unpacked(text: string): Promise<unknown> {
  const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  const bytes = await through(Uint8Array.from(plain, (letter) => letter.charCodeAt(0)), new DecompressionStream('deflate-raw'))
  if (bytes.length > LARGEST) throw new Error('too large')
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** A file of another program as text, packed if it is not yet. */
export async function inBase64(file: File): Promise<string> {
  const plain = new Uint8Array(await file.arrayBuffer())
  const bytes = plain[0] === 0x50 ? plain : await through(plain, new CompressionStream('gzip'))
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** The packed list in a link or in the address of the page, or nothing. */
export function inLink(link: string): string {
  return /#list=([A-Za-z0-9_-]+)/.exec(link)?.[1] ?? ''
}
