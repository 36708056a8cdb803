/** The form in which `chronicle_*` methods tell a value of the core. */

/** A value as JSON: amounts, heights and positions are decimal texts, and an absent value is null. */
export type Told<Value> = Value extends bigint
  ? string
  : Value extends undefined
    ? null
    : Value extends object
      ? { readonly [Name in keyof Value]: Told<Value[Name]> }
      : Value;
