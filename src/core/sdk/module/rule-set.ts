/** Overrides of rule sets in an application version; `RuleSet.with` creates an entry. */
export type OtherRules = ReadonlyMap<RuleSet<object>, object>;

/**
 * Rules that an application version can override, for example with those of a Go node. The default rules are next to
 * the code that calls them: `stakingRules.of(context).requireValidatorLeft(context)`.
 */
export class RuleSet<Rules extends object> {
  constructor(readonly ordinary: Rules) {}

  /** Rules of an application version. */
  of({ version }: { readonly version: { readonly rules: OtherRules } }): Rules {
    return (version.rules.get(this) as Rules | undefined) ?? this.ordinary;
  }

  /** Entry of `AppVersion.rules`: the default rules with `other` replacing some. */
  with(other: Partial<Rules>): readonly [RuleSet<object>, object] {
    return [this, { ...this.ordinary, ...other }];
  }
}
