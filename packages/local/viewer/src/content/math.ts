import temml from 'temml'

/** Draws the TeX of an element in its place, as MathML. What is no TeX stays as it was written. */
export function draw(place: HTMLElement): void {
  const { textContent: written, dataset } = place
  const { math = '', block } = dataset
  try {
    // Without trust no command names an address, a class or an id. Styles are set one by one, as the policy wants it.
    temml.render(math, place, { displayMode: block !== undefined, throwOnError: true, trust: false })
  } catch {
    place.textContent = written
  }
}
