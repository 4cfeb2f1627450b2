"""The four line games of the booklet: Block & Draw, All Fives, Matador and One-Arm Joe."""
