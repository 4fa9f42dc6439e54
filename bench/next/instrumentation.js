export { register } from '#variant'
