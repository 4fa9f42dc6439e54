// Loads what is installed here, as an application of this folder does.
export default (name) => import(name)
