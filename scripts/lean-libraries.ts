import type { Plugin } from 'vite'

interface Cut {
  file: RegExp
  /** Patterns to remove from it, with their replacements. */
  cuts: readonly (readonly [RegExp, string])[]
}

const LEAN: readonly Cut[] = [
  {
    // Every schema can convert itself to a JSON schema, which only the gateway's API reference needs.
    file: /\/zod\/v4\/classic\/schemas\.js$/,
    cuts: [
      [/^ *inst\._zod\.processJSONSchema = .*;$/gm, ''],
      [
        /^import \{ createStandardJSONSchemaMethod, createToJSONSchemaMethod \} from .*;$/m,
        'const createStandardJSONSchemaMethod = () => undefined, createToJSONSchemaMethod = () => () => undefined;',
      ],
    ],
  },
  {
    // The package always resolves to its development files. Assignments of debugging names keep unused exports in the bundle.
    file: /\/react-router\/dist\/development\/chunk-6KYCQHYJ\.mjs$/,
    cuts: [
      [/^var ENABLE_DEV_WARNINGS = true;$/m, 'var ENABLE_DEV_WARNINGS = false;'],
      [/^\w+\.displayName = ".*";$/gm, ''],
    ],
  },
  {
    // Every form control reads the form's context, from a file that imports the whole form.
    file: /\/antd\/es\/form\/context\.js$/,
    cuts: [
      [
        /^import \{ FormProvider as RcFormProvider \} from 'rc-field-form';$/m,
        "import { FormProvider as RcFormProvider } from 'rc-field-form/es/FormContext';",
      ],
    ],
  },
  {
    // A button checks whether a color, always an opaque one, is bright, with a function from the file of the color picker's panels.
    file: /\/antd\/es\/button\/style\/token\.js$/,
    cuts: [
      [
        /^import \{ isBright \} from .*;$/m,
        'const isBright = (color) => { const { r, g, b } = color.toRgb(); return r * 0.299 + g * 0.587 + b * 0.114 > 192; };',
      ],
    ],
  },
]

/** A library's file without unused parts; unchanged if nothing is listed for it. Throws a RangeError if a listed pattern does not match. */
export function lean(id: string, code: string): string {
  let remaining = code
  for (const [part, instead] of LEAN.find(({ file }) => file.test(id))?.cuts ?? []) {
    const shortened = remaining.replace(part, instead)
    if (shortened === remaining) throw new RangeError(`${id} has no ${part} to cut out`)
    remaining = shortened
  }
  return remaining
}

/** Vite plugin that removes unused code which libraries offer no option to exclude. */
export function leanLibraries(): Plugin {
  return {
    name: 'lean-libraries',
    apply: 'build',
    transform: {
      filter: { id: LEAN.map(({ file }) => file) },
      handler: (code, id) => ({ code: lean(id, code), map: null }),
    },
  }
}
