import type { Plugin } from 'vite'

interface Cut {
  /** The library's file. */
  file: RegExp
  /** What is cut out of it, and what stands there instead. */
  cuts: readonly (readonly [RegExp, string])[]
}

const LEAN: readonly Cut[] = [
  {
    // Every schema can write itself as a JSON schema, which only the gateway's reference asks for.
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
    // The package always answers with its files for development. A name for its debugging keeps in what no page of ours uses.
    file: /\/react-router\/dist\/development\/chunk-6KYCQHYJ\.mjs$/,
    cuts: [
      [/^var ENABLE_DEV_WARNINGS = true;$/m, 'var ENABLE_DEV_WARNINGS = false;'],
      [/^\w+\.displayName = ".*";$/gm, ''],
    ],
  },
  {
    // What may stand in a form asks for its context, in a file of the whole form.
    file: /\/antd\/es\/form\/context\.js$/,
    cuts: [
      [
        /^import \{ FormProvider as RcFormProvider \} from 'rc-field-form';$/m,
        "import { FormProvider as RcFormProvider } from 'rc-field-form/es/FormContext';",
      ],
    ],
  },
  {
    // A button asks whether a colour, always an opaque one, is bright, of a file that draws the colour picker's panels.
    file: /\/antd\/es\/button\/style\/token\.js$/,
    cuts: [
      [
        /^import \{ isBright \} from .*;$/m,
        'const isBright = (color) => { const { r, g, b } = color.toRgb(); return r * 0.299 + g * 0.587 + b * 0.114 > 192; };',
      ],
    ],
  },
]

/** A library's file without what no page of ours uses; as it is, if there is nothing to cut. Throws a RangeError if what is cut is not in it. */
export function lean(id: string, code: string): string {
  let left = code
  for (const [part, instead] of LEAN.find(({ file }) => file.test(id))?.cuts ?? []) {
    const without = left.replace(part, instead)
    if (without === left) throw new RangeError(`${id} has no ${part} to cut out`)
    left = without
  }
  return left
}

/** Leaves out of what browsers load what libraries bring and no page uses, where they cannot be asked to. */
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
