/** Replaces the Markdown renderer and its plugin of a field of @refinedev/antd, which no screen uses. */
const refuse = (): never => {
  throw new Error('Markdown is not part of this product')
}

export default refuse
