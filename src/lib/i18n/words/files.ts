/**
 * Texts of single screens, loaded together with them. A function, because programs that read the routes without the build have no
 * `import.meta.glob`.
 */
export const filesOfWords = () =>
  import.meta.glob<object>(
    [
      '../../../../locales/*/*.json',
      '!../../../../locales/*/{auth,shell,dashboard,errors,company,devices,lists,personal,resources,screens,balance,charts,electricity,energy}.json',
    ],
    { import: 'default' },
  )
