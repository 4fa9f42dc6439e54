export default {
  release: 'from the file',
  mask: () => '(masked)',
}
